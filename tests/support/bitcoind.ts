import { randomBytes } from "node:crypto";
import { Address, OutScript, RawTx } from "@scure/btc-signer";
import { openCoreNode } from "#lib/chains/utxo/core-client.ts";
import { type CoreNodeOptions, type StartedCoreNode, startCoreNode } from "#lib/dev-chains/core-node.ts";
import { BITCOIND, type CoreProgram, LITECOIND } from "#lib/dev-chains/core-programs.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";

/** An address and an amount of BTC as decimal text. */
export type Output = readonly [address: string, btc: string];

/** The calls to a node of Bitcoin Core's family that tests make, including its wallet's. */
export interface Bitcoin {
  readonly chain: PrivateChain;
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  height(): Promise<number>;
  tip(): Promise<string>;
  /**
   * Mines blocks, the first with everything that waits. The reward goes to `address` or to no one. Returns
   * their hashes.
   */
  mine(blocks?: number, address?: string): Promise<string[]>;
  /** Mines one block of exactly these transactions, ids or raw. */
  mineOnly(transactions: readonly string[]): Promise<string>;
  /** Reverts a block and those after it. Resolves when the wallet knows that their transactions wait, and spends their change. */
  invalidate(hash: string): Promise<void>;
  /** From the faucet, replaceable, not mined. Returns the txid. */
  sendTo(address: string, btc: string): Promise<string>;
  /** One transaction with these outputs in this order. An address may be in it twice. Not mined. */
  payMany(outputs: readonly Output[]): Promise<string>;
  /**
   * Replaces a waiting transaction by one with the same coins and a higher fee, to these outputs or the same
   * ones.
   */
  replace(txid: string, outputs?: readonly Output[]): Promise<string>;
  /**
   * Replaces the newest `depth` blocks by `depth + 1` others, with their transactions or without. Without,
   * the transactions wait in the mempool.
   */
  reorg(depth: number, transactions: "with" | "without"): Promise<void>;
}

/** How one private chain differs from another. */
export interface PrivateChain {
  /** In the form of @scure/btc-signer. */
  readonly network: { bech32: string; pubKeyHash: number; scriptHash: number; wif: number };
  /** The type of the addresses that its wallet gives. */
  readonly form: "wpkh" | "pkh";
  /** Its wallet replaces a payment by one to other receivers (Core 24). */
  readonly replacesOutputs: boolean;
}

export const REGTEST = { bech32: "bcrt", pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

export const BITCOIN_REGTEST: PrivateChain = { network: REGTEST, form: "wpkh", replacesOutputs: true };
export const LITECOIN_REGTEST: PrivateChain = {
  network: { bech32: "rltc", pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
  form: "wpkh",
  replacesOutputs: false,
};

/** An address of a chain without a known key: the hash is all zeros. */
export const nobodyOf = (chain: PrivateChain) => addressOf(chain, new Uint8Array(20));
export const NOBODY = nobodyOf(BITCOIN_REGTEST);

/** The address of a key's hash in the form of the chain's wallet. */
export function addressOf({ network, form }: PrivateChain, bytes: Uint8Array): string {
  const { encode } = Address(network);
  const hash = Uint8Array.from(bytes);
  return form === "wpkh" ? encode({ type: "wpkh", hash }) : encode({ type: "pkh", hash });
}

export type BitcoindNode = StartedCoreNode;
export const startBitcoind = (options: CoreNodeOptions = {}) => startCoreNode(BITCOIND, options);
export const startLitecoind = (options: CoreNodeOptions = {}) => startCoreNode(LITECOIND, options);

/** A node that nobody stops: it ends with this process. */
export type SharedNode = Pick<StartedCoreNode, "url" | "zmqUrl" | "pid">;
/** The nodes that tests of this process share, by program and options. */
const shared = new Map<string, Promise<SharedNode>>();

/**
 * The node of these options that the tests of this process share. Its mempool is empty, and its wallet has 100 coins. Each
 * test uses addresses of its own and relative heights. A test that stops its node, or needs a new chain, starts one.
 */
export const shareBitcoind = (options: CoreNodeOptions = { zmq: true }) =>
  share(BITCOIND, BITCOIN_REGTEST, options);
export const shareLitecoind = (options: CoreNodeOptions = {}) => share(LITECOIND, LITECOIN_REGTEST, options);

async function share(
  program: CoreProgram,
  chain: PrivateChain,
  options: CoreNodeOptions,
): Promise<SharedNode> {
  const kind = JSON.stringify([program.name, options]);
  const starting = shared.get(kind) ?? startWithCoins(program, chain, options);
  shared.set(kind, starting);
  const node = await starting;
  const opened = openBitcoin(node.url, chain);
  if ((await opened.call<string[]>("getrawmempool")).length > 0) await opened.mine();
  return node;
}

async function startWithCoins(
  program: CoreProgram,
  chain: PrivateChain,
  options: CoreNodeOptions,
): Promise<SharedNode> {
  const { url, zmqUrl, pid } = await startCoreNode(program, options);
  // Until then only the reward of the first block can be spent.
  await openBitcoin(url, chain).mine(100);
  return { url, zmqUrl, pid };
}

export function openBitcoin(url: string, chain = BITCOIN_REGTEST): Bitcoin {
  const nobody = nobodyOf(chain);
  const node = openCoreNode(url, 120_000);
  const call = async <T>(method: string, ...params: unknown[]) => (await node.call(method, params)) as T;
  const height = () => call<number>("getblockcount");
  const mine = (blocks = 1, address = nobody) => call<string[]>("generatetoaddress", blocks, address);
  const mineOnly = async (transactions: readonly string[]) =>
    (await call<{ hash: string }>("generateblock", nobody, transactions)).hash;
  const invalidate = async (hash: string) => {
    await call("invalidateblock", hash);
    // The wallet hears of the disconnected block first. Until it hears of the transactions, their coins are "insufficient".
    await call("syncwithvalidationinterfacequeue");
  };
  const signAndSend = async (hex: string) => {
    const signed = await call<{ hex: string }>("signrawtransactionwithwallet", hex);
    return call<string>("sendrawtransaction", signed.hex, 0);
  };
  const replaceOutputs = async (txid: string, outputs: readonly Output[]) => {
    const { vin } = await call<{ vin: { txid: string; vout: number }[] }>("getrawtransaction", txid, true);
    const inputs = vin.map(({ txid, vout }) => ({ txid, vout, sequence: 0xfffffffd }));
    const paid = outputs.map(([address, amount]) => ({ [address]: amount }));
    const raw = await call("createrawtransaction", inputs, paid);
    // Five times the usual fee.
    const options = { fee_rate: 10, changePosition: outputs.length };
    return signAndSend((await call<{ hex: string }>("fundrawtransaction", raw, options)).hex);
  };
  return {
    chain,
    call,
    height,
    tip: () => call("getbestblockhash"),
    mine,
    mineOnly,
    invalidate,
    sendTo: (address, btc) =>
      call("sendtoaddress", address, btc, "", "", false, true, null, "unset", false, 2),
    async payMany(outputs) {
      const options = { fee_rate: 2, changePosition: outputs.length, replaceable: true };
      const raw = unfunded(outputs, chain);
      return signAndSend((await call<{ hex: string }>("fundrawtransaction", raw, options, false)).hex);
    },
    async replace(txid, outputs) {
      if (outputs && !chain.replacesOutputs) return replaceOutputs(txid, outputs);
      const changed = outputs ? { outputs: outputs.map(([address, btc]) => ({ [address]: btc })) } : {};
      const { txid: successor } = await call<{ txid: string }>("bumpfee", txid, changed);
      return successor;
    },
    async reorg(depth, transactions) {
      const from = (await height()) - depth + 1;
      const taken: string[] = [];
      for (let i = 0; i < depth; i++) {
        const hash = await call<string>("getblockhash", from + i);
        const { tx } = await call<{ tx: { hex: string }[] }>("getblock", hash, 2);
        taken.push(...tx.slice(1).map(({ hex }) => hex));
      }
      await invalidate(await call("getblockhash", from));
      // Unlike a longer branch, this call brings back only the transactions of the first ten blocks.
      for (const raw of taken) await call("sendrawtransaction", raw, 0).catch(() => {});
      // To another address than the reverted blocks, otherwise they would be the same blocks.
      const address = addressOf(chain, randomBytes(20));
      if (transactions === "with") await mine(depth + 1, address);
      else for (let i = 0; i <= depth; i++) await call("generateblock", address, []);
    },
  };
}

function unfunded(outputs: readonly Output[], chain: PrivateChain): string {
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs: [],
    outputs: outputs.map(([address, btc]) => ({ script: scriptOf(address, chain), amount: satoshis(btc) })),
    witnesses: [],
    lockTime: 0,
  });
  return Buffer.from(raw).toString("hex");
}

/** The output script that pays an address. */
export function scriptOf(address: string, { network } = BITCOIN_REGTEST): Uint8Array {
  return OutScript.encode(Address(network).decode(address));
}

function satoshis(btc: string): bigint {
  const amount = parseAmount(btc, 8);
  if (!amount.ok) throw new Error(`${btc} is no amount`);
  return amount.units;
}
