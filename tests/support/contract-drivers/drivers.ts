import { openBitcoinDriver } from "./bitcoin.ts";
import { openDogecoinDriver } from "./dogecoin.ts";
import type { ContractDriver, Inability } from "./driver.ts";
import { openEvmDriver } from "./evm.ts";
import { openLitecoinDriver } from "./litecoin.ts";
import { openTrc20Driver, openTrxDriver } from "./trc20.ts";
import { openXrpDriver } from "./xrp.ts";

/** Every network on a node of its own, by what the tables of runs call it. A network's line of tests stands here. */
export const DRIVERS: Readonly<Record<string, () => Promise<ContractDriver>>> = {
  bitcoin: openBitcoinDriver,
  litecoin: openLitecoinDriver,
  dogecoin: openDogecoinDriver,
  trc20: openTrc20Driver,
  "trc20 (trx)": openTrxDriver,
  bep20: () => openEvmDriver({ network: "bep20", token: "usdt", blocksToCredit: 3 }),
  "bep20 (bnb)": () => openEvmDriver({ network: "bep20", token: "bnb", blocksToCredit: 3 }),
  erc20: () => openEvmDriver({ network: "erc20", token: "usdt", blocksToCredit: 12 }),
  base: () => openEvmDriver({ network: "base", token: "usdt", blocksToCredit: 20 }),
  "base (eth)": () => openEvmDriver({ network: "base", token: "eth", blocksToCredit: 20 }),
  xrp: openXrpDriver,
};

/** What some of them cannot do by their nature. The cases that need it are left out there, and not counted. */
export const UNABLE: Readonly<Record<string, readonly Inability[]>> = {
  // A transaction moves its network's own coin to one address.
  "trc20 (trx)": ["pay several addresses at once"],
  "bep20 (bnb)": ["pay several addresses at once"],
  "base (eth)": ["pay several addresses at once"],
  xrp: ["pay several addresses at once", "be reorganised"],
};
