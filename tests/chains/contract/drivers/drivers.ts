import type { ContractRow } from "#tests/chains/contract/suite.ts";
import { openBitcoinDriver } from "./bitcoin.ts";
import { openDogecoinDriver } from "./dogecoin.ts";
import type { ContractDriver, Inability } from "./driver.ts";
import { openElectrumDriver } from "./electrum.ts";
import { EVM_CONTRACT_ROWS, EVM_ROWS, isCoin, openEvmDriver } from "./evm.ts";
import { openLitecoinDriver } from "./litecoin.ts";
import { openSolanaSolDriver, openSolanaUsdcDriver, openSolanaUsdtDriver } from "./solana.ts";
import { openTrc20Driver, openTrxDriver } from "./trc20.ts";
import { openXrpDriver } from "./xrp.ts";

/** The drivers of EVM networks. Their rows follow from the networks' data. */
const evmDrivers = (rows: typeof EVM_ROWS) =>
  Object.fromEntries(rows.map(({ name, row }) => [name, () => openEvmDriver(row)]));

/** Every network with its own node, by the name that test tables use. Add new networks here; EVM networks come by themselves. */
export const DRIVERS: Readonly<Record<string, () => Promise<ContractDriver>>> = {
  bitcoin: openBitcoinDriver,
  "bitcoin (electrum)": () => openElectrumDriver(),
  litecoin: openLitecoinDriver,
  dogecoin: openDogecoinDriver,
  trc20: openTrc20Driver,
  "trc20 (trx)": openTrxDriver,
  ...evmDrivers(EVM_CONTRACT_ROWS),
  solana: openSolanaUsdtDriver,
  "solana (sol)": openSolanaSolDriver,
  xrp: openXrpDriver,
};

/** One network of each family, on the quickest real node: these are in tests/chains/contract, the others in tests/long. */
export const QUICKEST: readonly string[] = ["bitcoin", "trc20", "bep20", "solana", "xrp"];

/** Further pairs that pay payment links, on networks that DRIVERS has. */
export const LINK_DRIVERS: Readonly<Record<string, () => Promise<ContractDriver>>> = {
  ...DRIVERS,
  ...evmDrivers(EVM_ROWS),
  "solana (usdc)": openSolanaUsdcDriver,
};

/** A transaction moves its network's own coin to one address. */
const ONE_PAYMENT = [
  "pay several addresses at once",
  "tell several payments of one transaction apart",
] as const;
/**
 * Balances show what an address received from a transaction, in one sum. Addresses are created one by one,
 * and blocks are final.
 */
const SOLANA = [
  "derive addresses from a key",
  "replace a transaction for good",
  "be reorganized",
  "tell several payments of one transaction apart",
] as const;

/** The abilities that some networks lack. Cases that need them are skipped there and not counted. */
export const UNABLE: Readonly<Record<string, readonly Inability[]>> = {
  // Lies of Electrum servers are in electrum.test.ts.
  "bitcoin (electrum)": ["read a block again"],
  trc20: ["replace a transaction for good"],
  "trc20 (trx)": [...ONE_PAYMENT, "replace a transaction for good"],
  ...Object.fromEntries(EVM_ROWS.filter(({ row }) => isCoin(row)).map(({ name }) => [name, ONE_PAYMENT])),
  solana: SOLANA,
  "solana (sol)": SOLANA,
  xrp: [...ONE_PAYMENT, "be reorganized"],
};

/** A network's line in the table of the contract suite. */
export function contractRow(name: string): ContractRow {
  const open = DRIVERS[name];
  if (open === undefined) throw new Error(`there is no driver ${name}`);
  return { name, open, unable: UNABLE[name] ?? [], lacks: [] };
}
