import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { TronWeb, utils } from "tronweb";
import type { NetworkAdapter, NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import {
  startTronEmulator,
  type TronEmulator,
  type TronEmulatorOptions,
} from "#lib/dev-chains/tron-emulator/start-tron-emulator.ts";
import { takeAnvil } from "./anvil-pool.ts";

export { startTronEmulator, type TronEmulator } from "#lib/dev-chains/tron-emulator/start-tron-emulator.ts";

/** An emulator that is mined by hand, over an anvil that tests share. Each finds a new chain. */
export function startTestTron(options: TronEmulatorOptions = {}): Promise<TronEmulator> {
  return startTronEmulator({
    automine: false,
    solidifiedLag: 2,
    startEngineNode: (engine = {}) => takeAnvil(engine),
    ...options,
  });
}

/** The same, until its test ends. */
export async function openTestTron(t: TestContext, options?: TronEmulatorOptions): Promise<TronEmulator> {
  const emulator = await startTestTron(options);
  t.after(() => emulator.stop());
  return emulator;
}

export const MNEMONIC = "legal winner thank year wave sausage worth useful legal winner thank yellow";
export const TRON_ACCOUNT_KEY = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive(
  "m/44'/195'/0'",
).publicExtendedKey;
/** One USDT in ledger units. On the chain it is a million. */
export const USDT = 10n ** 18n;
const FEE_LIMIT = 1_000_000_000;

/** The properties of an emulator, in this process or in another. */
export interface TronNode {
  readonly url: string;
  readonly usdt: string;
  readonly faucet: { readonly address: string; readonly privateKey: string };
}

/** The test environment's trc20 on this node. */
type Reachable = Pick<TronNode, "url" | "usdt"> & { readonly walletUrl?: string };

export function trc20(node: Reachable, changes: Partial<NetworkConfig> = {}): NetworkRegistry {
  const config: NetworkConfig = {
    env: "test",
    network: "trc20",
    rpcUrls: [node.url],
    ...(node.walletUrl !== undefined && { walletUrls: [node.walletUrl] }),
    accountKey: TRON_ACCOUNT_KEY,
    zmqUrl: null,
    chainId: null,
    contracts: { usdt: node.usdt },
    ...changes,
  };
  return openNetworks([config]);
}

export function trc20Adapter(node: Reachable): NetworkAdapter {
  return trc20(node).find("test", "trc20")!;
}

/** A stock tronweb with the faucet's key, or another one. */
export function wallet(node: TronNode, privateKey: string = node.faucet.privateKey): TronWeb {
  return new TronWeb({ fullHost: node.url, privateKey });
}

/** The balance of an address in the node's USDT, in 10⁻⁶. */
export async function balanceOf(node: TronNode, address: string): Promise<bigint> {
  const contract = await wallet(node).contract().at(node.usdt);
  return contract.balanceOf!(address).call();
}

/** A fresh key and its address. */
export function newAccount(): { address: string; privateKey: string } {
  const { address, privateKey } = TronWeb.createRandom();
  return { address, privateKey: privateKey.replace(/^0x/, "") };
}

/** A transfer of test USDT (10⁻⁶), built and signed but not broadcast. */
export async function signedTransfer(node: TronNode, to: string, amount: number, tronWeb = wallet(node)) {
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    node.usdt,
    "transfer(address,uint256)",
    { feeLimit: FEE_LIMIT },
    [
      { type: "address", value: to },
      { type: "uint256", value: amount },
    ],
  );
  return tronWeb.trx.sign(transaction);
}

/** A transfer of TRX (sun), built and signed but not broadcast. */
export async function signedTrx(node: TronNode, to: string, sun: number, tronWeb = wallet(node)) {
  const from = String(tronWeb.defaultAddress.base58);
  return tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(to, sun, from));
}

/** The transaction with other raw data, signed again by the faucet. */
export async function rebuilt(
  node: TronNode,
  signed: Signed,
  change: (rawData: RawData) => void,
): Promise<Signed> {
  const { signature: _, ...transaction } = signed;
  change(transaction.raw_data as unknown as RawData);
  const pb = utils.transaction.txJsonToPb(transaction);
  transaction.raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
  transaction.txID = utils.transaction.txPbToTxID(pb).slice(2);
  return wallet(node).trx.sign(transaction);
}

export type Signed = Awaited<ReturnType<typeof signedTransfer>> | Awaited<ReturnType<typeof signedTrx>>;

interface RawData extends Record<string, unknown> {
  readonly contract: [{ readonly parameter: { readonly value: Record<string, unknown> } }];
}

/**
 * Pays test USDT (10⁻⁶) as a person with a wallet does. Resolves to the transaction id. Throws when it is
 * refused.
 */
export async function payUsdt(
  node: TronNode,
  to: string,
  amount: number,
  tronWeb = wallet(node),
): Promise<string> {
  const contract = await tronWeb.contract().at(node.usdt);
  return contract.transfer!(to, amount).send({ feeLimit: FEE_LIMIT });
}

/**
 * Pays TRX (sun) as a person with a wallet does. Resolves to the transaction id. Throws when it is refused.
 */
export async function payTrx(
  node: TronNode,
  to: string,
  sun: number,
  tronWeb = wallet(node),
): Promise<string> {
  const { result, txid, message } = await tronWeb.trx.sendTrx(to, sun);
  if (!result) throw new Error(Buffer.from(String(message), "hex").toString());
  return txid;
}

/** Sends a TRC-10 token, which has a number and any name. */
export async function payTrc10(node: TronNode, to: string, amount: number): Promise<string> {
  const { result, txid } = await wallet(node).trx.sendToken(to, amount, "1000001");
  if (!result) throw new Error("the token's transfer was refused");
  return txid;
}

/** One transaction that pays several addresses. */
export async function payMany(
  node: TronNode,
  to: readonly string[],
  amount: number | readonly number[],
): Promise<string> {
  const tronWeb = wallet(node);
  const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
    node.usdt,
    "pay(address[],uint256[])",
    { feeLimit: 10 * FEE_LIMIT },
    [
      { type: "address[]", value: to },
      { type: "uint256[]", value: typeof amount === "number" ? to.map(() => amount) : amount },
    ],
  );
  const { txid } = await broadcast(node, await tronWeb.trx.sign(transaction));
  return txid;
}

export interface Broadcast {
  /** Absent when it is refused. */
  readonly result?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly txid: string;
}

export async function broadcast(node: Pick<TronNode, "url">, transaction: unknown): Promise<Broadcast> {
  return (await post(`${node.url}/wallet/broadcasttransaction`, transaction)) as Broadcast;
}

export async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}

/** A JSON-RPC call that returns the whole answer, including an error. */
export async function jsonRpc(
  node: Pick<TronNode, "url">,
  method: string,
  params: readonly unknown[],
): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
  return (await post(`${node.url}/jsonrpc`, { jsonrpc: "2.0", id: 1, method, params })) as never;
}

/** The emulator as a separate process, with manual mining. */
export async function spawnTronEmulator(
  statePath: string,
): Promise<TronNode & { enginePid: number; process: ChildProcess }> {
  const args = ["--state", statePath, "--manual-mining", "--solidified-lag", "2"];
  const child = spawn(process.execPath, ["lib/dev-chains/tron-emulator/main.ts", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { ...(JSON.parse(line.toString()) as TronNode & { enginePid: number }), process: child };
}
