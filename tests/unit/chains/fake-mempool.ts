import { RawTx } from "@scure/btc-signer";
import type { MempoolStep } from "#lib/chains/mempool-reader.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { getUtxoChain, getUtxoData } from "#lib/chains/utxo/chains.ts";
import {
  type CoreAnswer,
  type CoreCall,
  type CoreNode,
  getResult,
  NOT_FOUND,
} from "#lib/chains/utxo/core-client.ts";
import { createKeyHashEncoder, KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import { openMempool } from "#lib/chains/utxo/mempool.ts";
import type { MempoolChanges } from "#lib/chains/utxo/mempool-changes.ts";

const encode = createKeyHashEncoder("p2wpkh", getUtxoChain(getUtxoData(NETWORKS.bitcoin), "test", "regtest"));

/** A transaction that pays the key hash with this number, and its address. */
export function payment(n: number) {
  const hash = new Uint8Array(20);
  new DataView(hash.buffer).setUint32(0, n);
  const bytes = RawTx.encode({
    version: 2,
    segwitFlag: false,
    inputs: [{ txid: new Uint8Array(32).fill(1), index: n, finalScriptSig: new Uint8Array(), sequence: 0 }],
    outputs: [{ amount: 1_000n, script: Uint8Array.from([0, 20, ...hash]) }],
    witnesses: [],
    lockTime: 0,
  });
  const { txid } = parseUtxoTransaction(Buffer.from(bytes));
  return { txid, hex: Buffer.from(bytes).toString("hex"), address: encode(hash, 0) };
}

/** A node whose mempool is `waiting`, a clock that the test moves, and a reader of both. */
export function openFakeMempool(batchSize = 500) {
  const fake = {
    waiting: [] as ReturnType<typeof payment>[],
    owned: new Set<string>(),
    wanted: [] as string[],
    /** The newest block that was read of the node. */
    block: "00",
    /** Answers instead of the node. */
    twist: (_: CoreCall): CoreAnswer | undefined => undefined,
    /** The changes of node A. Null: it has none. */
    changes: null as MempoolChanges | null,
    sequence: 1,
    fees: undefined as number | undefined,
    blocks: {} as Record<string, string[]>,
    calls: [] as CoreCall[],
    ms: 0,
    /** Milliseconds that a list takes. */
    listMs: 0,
  };
  const answer = (call: CoreCall): CoreAnswer => {
    fake.calls.push(call);
    const twisted = fake.twist(call);
    if (twisted) return twisted;
    if (call.method === "getmempoolinfo")
      return { ok: true, result: { size: fake.waiting.length, total_fee: fake.fees } };
    if (call.method === "getzmqnotifications") return { ok: true, result: [{ type: "pubsequence" }] };
    if (call.method === "getblock") return { ok: true, result: { tx: fake.blocks[String(call.params[0])] } };
    if (call.method === "getrawmempool") {
      fake.ms += fake.listMs;
      const txids = fake.waiting.map(({ txid }) => txid);
      const [, numbered] = call.params;
      return { ok: true, result: numbered ? { txids, mempool_sequence: fake.sequence } : txids };
    }
    const found = fake.waiting.find(({ txid }) => txid === call.params[0]);
    return found ? { ok: true, result: found.hex } : { ok: false, code: NOT_FOUND, message: "not there" };
  };
  const node: CoreNode = {
    batch: async (calls) => calls.map(answer),
    batchSize: () => batchSize,
    call: async (method, params = []) => getResult(answer({ method, params }), method),
  };
  const reader = {
    script: KEY_HASH_SCRIPTS.p2wpkh,
    encode,
    token: "btc",
    decimals: 8,
    coinbaseMaturity: 100,
    blockExtra: undefined,
  } as const;
  const mempool = openMempool(
    reader,
    (name) => (name === "A" ? fake.changes : null),
    () => fake.ms,
  );
  const step = (changes: Partial<MempoolStep> = {}, name = "A") =>
    mempool.readStep(node, name, {
      ours: async (addresses) => new Set(addresses.filter((address) => fake.owned.has(address))),
      wanted: async () => fake.wanted,
      block: fake.block,
      lookEveryMs: 0,
      ...changes,
    });
  const count = (method: string) => fake.calls.filter((call) => call.method === method).length;
  const fetched = () =>
    fake.calls.filter(({ method }) => method === "getrawtransaction").map(({ params }) => params[0]);
  return { fake, step, count, fetched };
}

/** So many payments with different numbers. */
export const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => payment(from + i));
