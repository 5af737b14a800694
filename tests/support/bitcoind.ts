import { randomBytes } from "node:crypto";
import { Address, OutScript, RawTx } from "@scure/btc-signer";
import { type CoreNodeOptions, startCoreNode } from "#lib/demo/core-node.ts";
import { BITCOIND } from "#lib/demo/core-programs.ts";
import { parseAmount } from "#lib/money/amount.ts";
import { openCoreNode } from "#lib/networks/utxo/core-client.ts";

/** An address and an amount of BTC as decimal text. */
export type Output = readonly [address: string, btc: string];

/** The calls of a bitcoin node that tests make, its wallet's included. */
export interface Bitcoin {
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  height(): Promise<number>;
  tip(): Promise<string>;
  /** Mines blocks, with all that waits in the first, the reward to `address` or to nobody. Returns their hashes. */
  mine(blocks?: number, address?: string): Promise<string[]>;
  /** Mines one block of exactly these transactions, ids or raw. */
  mineOnly(transactions: readonly string[]): Promise<string>;
  /** From the faucet, replaceable; not mined. Returns the txid. */
  sendTo(address: string, btc: string): Promise<string>;
  /** One transaction with these outputs in this order; an address may stand in it twice. Not mined. */
  payMany(outputs: readonly Output[]): Promise<string>;
  /** Replaces a waiting transaction by one of the same coins and a higher fee, to these outputs or the same ones. */
  replace(txid: string, outputs?: readonly Output[]): Promise<string>;
  /**
   * Replaces the newest `depth` blocks by `depth + 1` others, with the transactions they held or without: those then
   * wait in the mempool.
   */
  reorg(depth: number, transactions: "with" | "without"): Promise<void>;
}

export const REGTEST = { bech32: "bcrt", pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };

/** An address of regtest whose key nobody has: the hash is all zeros. */
export const NOBODY = Address(REGTEST).encode({ type: "wpkh", hash: new Uint8Array(20) });

export const startBitcoind = (options: CoreNodeOptions = {}) => startCoreNode(BITCOIND, options);

export function openBitcoin(url: string): Bitcoin {
  const node = openCoreNode(url, 120_000);
  const call = async <T>(method: string, ...params: unknown[]) => (await node.call(method, params)) as T;
  const height = () => call<number>("getblockcount");
  const mine = (blocks = 1, address = NOBODY) => call<string[]>("generatetoaddress", blocks, address);
  const mineOnly = async (transactions: readonly string[]) =>
    (await call<{ hash: string }>("generateblock", NOBODY, transactions)).hash;
  return {
    call,
    height,
    tip: () => call("getbestblockhash"),
    mine,
    mineOnly,
    sendTo: (address, btc) =>
      call("sendtoaddress", address, btc, "", "", false, true, null, "unset", false, 2),
    async payMany(outputs) {
      const options = { fee_rate: 2, changePosition: outputs.length, replaceable: true };
      const funded = await call<{ hex: string }>("fundrawtransaction", unfunded(outputs), options, false);
      const signed = await call<{ hex: string }>("signrawtransactionwithwallet", funded.hex);
      return call("sendrawtransaction", signed.hex, 0);
    },
    async replace(txid, outputs) {
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
      await call("invalidateblock", await call("getblockhash", from));
      // This call, unlike a longer branch, brings the transactions of the first ten blocks back only.
      for (const raw of taken) await call("sendrawtransaction", raw, 0).catch(() => {});
      // To another address than the blocks that were taken back, or they would be those very blocks.
      const address = Address(REGTEST).encode({ type: "wpkh", hash: randomBytes(20) });
      if (transactions === "with") await mine(depth + 1, address);
      else for (let i = 0; i <= depth; i++) await call("generateblock", address, []);
    },
  };
}

function unfunded(outputs: readonly Output[]): string {
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs: [],
    outputs: outputs.map(([address, btc]) => ({ script: scriptOf(address), amount: satoshis(btc) })),
    witnesses: [],
    lockTime: 0,
  });
  return Buffer.from(raw).toString("hex");
}

/** The output script that pays an address. */
export function scriptOf(address: string): Uint8Array {
  return OutScript.encode(Address(REGTEST).decode(address));
}

function satoshis(btc: string): bigint {
  const amount = parseAmount(btc, 8);
  if (!amount.ok) throw new Error(`${btc} is no amount`);
  return amount.units;
}
