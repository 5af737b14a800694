import assert from "node:assert/strict";
import { test } from "node:test";
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
import { isNodeError } from "#tests/support/contract-bench.ts";

const encode = createKeyHashEncoder("p2wpkh", getUtxoChain(getUtxoData(NETWORKS.bitcoin), "test", "regtest"));

/** A transaction that pays the key hash with this number, and its address. */
function payment(n: number) {
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
function open(batchSize = 500) {
  const fake = {
    waiting: [] as ReturnType<typeof payment>[],
    owned: new Set<string>(),
    wanted: [] as string[],
    /** Answers instead of the node. */
    twist: (_: CoreCall): CoreAnswer | undefined => undefined,
    calls: [] as CoreCall[],
    ms: 0,
    /** Milliseconds that a list takes. */
    listMs: 0,
  };
  const answer = (call: CoreCall): CoreAnswer => {
    fake.calls.push(call);
    const twisted = fake.twist(call);
    if (twisted) return twisted;
    if (call.method === "getmempoolinfo") return { ok: true, result: { size: fake.waiting.length } };
    if (call.method === "getrawmempool") {
      fake.ms += fake.listMs;
      return { ok: true, result: fake.waiting.map(({ txid }) => txid) };
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
  const mempool = openMempool(reader, () => fake.ms);
  const step = (changes: Partial<MempoolStep> = {}, name = "A") =>
    mempool.readStep(node, name, {
      ours: async (addresses) => new Set(addresses.filter((address) => fake.owned.has(address))),
      wanted: async () => fake.wanted,
      lookEveryMs: 0,
      ...changes,
    });
  const count = (method: string) => fake.calls.filter((call) => call.method === method).length;
  const fetched = () =>
    fake.calls.filter(({ method }) => method === "getrawtransaction").map(({ params }) => params[0]);
  return { fake, step, count, fetched };
}

const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => payment(from + i));

test("fetches what is wanted first, then what is new, newest first, and what waited before the start last", async () => {
  const { fake, step, fetched } = open(1);
  const [old, known, ...newer] = many(5);
  fake.waiting = [old!, known!];
  fake.wanted = [known!.txid];
  await step();
  for (const one of newer) {
    fake.waiting.push(one);
    fake.ms += 1_000;
    await step();
  }
  await step();
  const view = await step();
  assert.deepEqual(
    fetched(),
    [known, ...newer, old].map((one) => one!.txid),
  );
  assert.deepEqual([view.arrivals, view.backlog], [0, 0]);
});

test("keeps 1,999 of 2,000 waiting transactions when a call fails, and fetches only that one again", async () => {
  const { fake, step, count } = open(2_000);
  fake.waiting = many(2_000);
  fake.owned = new Set(fake.waiting.map(({ address }) => address));
  const bad = fake.waiting[400]!.txid;
  fake.twist = ({ params }) => (params[0] === bad ? { ok: false, code: -1, message: "busy" } : undefined);
  for (let i = 0; i < 4; i += 1) await step();
  const view = await step();
  assert.equal(view.transfers.length, 1_999);
  assert.ok(isNodeError("inconsistent")(view.failure!));
  fake.twist = () => undefined;
  const { transfers } = await step();
  assert.equal(transfers.length, 2_000);
  assert.ok(count("getrawtransaction") < 2_010);
});

test("one transaction that the node sends wrong stops no other", async () => {
  const { fake, step } = open(2);
  fake.waiting = many(6);
  fake.owned = new Set(fake.waiting.map(({ address }) => address));
  const [wrong, other] = fake.waiting;
  fake.twist = ({ params }) => (params[0] === wrong!.txid ? { ok: true, result: other!.hex } : undefined);
  const failures: unknown[] = [];
  for (let i = 0; i < 6; i += 1) failures.push((await step()).failure);
  assert.equal((await step()).transfers.length, 5);
  assert.equal(failures.filter((failure) => failure !== null).length, 1);
});

test("only a list says what is gone: what it names is not, fetched or not", async () => {
  const { fake, step } = open(1);
  fake.waiting = many(3);
  fake.wanted = [...fake.waiting.map(({ txid }) => txid), "ff".repeat(32)];
  const first = await step();
  assert.deepEqual(first.gone, ["ff".repeat(32)]);
  assert.ok(first.arrivals > 0);
  const { txid } = fake.waiting.shift()!;
  const second = await step();
  assert.deepEqual(second.gone, [txid, "ff".repeat(32)]);
  assert.ok(second.list > first.list);
  fake.ms += 1;
  fake.twist = ({ method }) =>
    method === "getrawmempool" ? { ok: false, code: -1, message: "busy" } : undefined;
  await assert.rejects(step(), isNodeError("refused"));
});

test("takes no list while the summary is the same, but one every five seconds and of every node", async () => {
  const { fake, step, count } = open();
  fake.waiting = many(3);
  for (fake.ms = 0; fake.ms < 4_999; fake.ms += 500) await step();
  assert.equal(count("getrawmempool"), 1);
  fake.ms = 5_000;
  await step();
  assert.equal(count("getrawmempool"), 2);
  fake.waiting.push(payment(9));
  await step();
  assert.equal(count("getrawmempool"), 3);
  await step({}, "B");
  assert.equal(count("getrawmempool"), 4);
});

test("lists take at most a tenth of the time, and looks are as rare as asked for", async () => {
  const { fake, step, count } = open();
  fake.listMs = 400;
  for (let n = 0; fake.ms < 8_000; n += 1) {
    fake.waiting.push(payment(n));
    await step({ lookEveryMs: 100 });
    fake.ms += 10;
  }
  assert.equal(count("getrawmempool"), 2);
  assert.ok(count("getmempoolinfo") <= 3);
});

test("finds a payment whose address became ours after it was fetched", async () => {
  const { fake, step, count } = open();
  fake.waiting = many(3);
  assert.deepEqual((await step()).transfers, []);
  fake.owned.add(fake.waiting[1]!.address);
  assert.deepEqual((await step()).transfers, []);
  fake.ms += 10_000;
  const { transfers } = await step();
  assert.deepEqual(
    transfers.map(({ txHash }) => txHash),
    [fake.waiting[1]!.txid],
  );
  assert.equal(count("getrawtransaction"), 4);
});
