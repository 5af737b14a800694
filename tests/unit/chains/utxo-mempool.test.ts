import assert from "node:assert/strict";
import { test } from "node:test";
import { RawTx } from "@scure/btc-signer";
import type { MempoolStep } from "#lib/chains/mempool-reader.ts";
import { NodeError } from "#lib/chains/network.ts";
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
import { holdMempoolChanges, type MempoolChanges } from "#lib/chains/utxo/mempool-changes.ts";
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
    /** Those of node A. Null: it has none. */
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

test("takes no list of an unchanged mempool for a minute where its fees are reported", async () => {
  const { fake, step, count } = open();
  fake.waiting = many(3);
  fake.fees = 0.001;
  for (fake.ms = 0; fake.ms < 60_000; fake.ms += 500) await step();
  assert.equal(count("getrawmempool"), 1);
  await step();
  assert.equal(count("getrawmempool"), 2);
});

/** A node that publishes each change of its mempool. */
async function openPublished() {
  const opened = open();
  const { fake, step, count } = opened;
  const changes = holdMempoolChanges();
  fake.changes = changes;
  let messages = 0;
  const publish = (kind: "A" | "R" | "C" | "D", hash: string, { lost = false } = {}) => {
    const body = Buffer.alloc(kind === "A" || kind === "R" ? 41 : 33);
    body.write(hash, "hex");
    body.write(kind, 32);
    if (body.length === 41) body.writeBigUInt64LE(BigInt(fake.sequence++), 33);
    const number = Buffer.alloc(4);
    number.writeUInt32LE(messages++);
    if (!lost) changes.push(body, number);
  };
  const add = (one: ReturnType<typeof payment>, how = {}) => {
    fake.waiting.push(one);
    fake.owned.add(one.address);
    publish("A", one.txid, how);
  };
  const leave = (one: ReturnType<typeof payment>) => {
    fake.waiting.splice(fake.waiting.indexOf(one), 1);
  };
  const paid = async () => (await step()).transfers.map(({ txHash }) => txHash).toSorted();
  const ids = (...of: ReturnType<typeof payment>[]) => of.map(({ txid }) => txid).toSorted();
  changes.connect();
  return { ...opened, changes, publish, add, leave, paid, ids, lists: () => count("getrawmempool") };
}

test("takes one list and follows what the node publishes: added, removed, replaced, in a block, out of it", async () => {
  const { fake, step, publish, add, leave, paid, ids, lists, count } = await openPublished();
  const [first, second, third] = many(3);
  await step();
  add(first!);
  add(second!);
  assert.deepEqual(await paid(), ids(first!, second!));
  // Replaced.
  leave(first!);
  publish("R", first!.txid);
  add(third!);
  fake.wanted = ids(first!, second!);
  const replaced = await step();
  assert.deepEqual(replaced.gone, [first!.txid]);
  const again = await step();
  assert.deepEqual([again.gone, again.list > replaced.list], [[first!.txid], true]);
  assert.deepEqual(await paid(), ids(second!, third!));
  // Each transaction that a block takes has a number, and no message.
  const block = "b1".repeat(32);
  fake.blocks[block] = ["cb".repeat(32), second!.txid];
  leave(second!);
  fake.sequence += 1;
  publish("C", block);
  add(first!);
  fake.wanted = ids(first!, second!);
  assert.deepEqual((await step()).gone, [second!.txid]);
  assert.deepEqual(await paid(), ids(first!, third!));
  publish("D", block);
  add(second!);
  assert.deepEqual(await paid(), ids(first!, second!, third!));
  assert.deepEqual((await step()).gone, []);
  assert.deepEqual([lists(), count("getmempoolinfo")], [1, 1]);
});

test("what was published before the list changes nothing", async () => {
  const { fake, step, publish, add, leave, paid, ids, lists } = await openPublished();
  const [first, second] = many(2);
  const block = "b2".repeat(32);
  fake.blocks[block] = [first!.txid];
  add(first!);
  leave(first!);
  fake.sequence += 1;
  publish("C", block);
  publish("D", block);
  add(first!);
  await step();
  assert.deepEqual(await paid(), ids(first!));
  add(second!);
  assert.deepEqual(await paid(), ids(first!, second!));
  assert.equal(lists(), 1);
});

test("takes one list after a lost message, a change without a message, and a new connection", async () => {
  const { fake, step, publish, add, leave, changes, paid, ids, lists } = await openPublished();
  const [first, second, third, fourth, fifth] = many(5);
  await step();
  add(first!, { lost: true });
  add(second!);
  assert.deepEqual(await paid(), ids(first!, second!));
  assert.equal(lists(), 2);
  add(third!);
  assert.deepEqual(await paid(), ids(first!, second!, third!));
  assert.equal(lists(), 2);
  // A block's conflict has its number before the block is published.
  fake.sequence += 3;
  leave(third!);
  publish("R", third!.txid);
  assert.deepEqual(await paid(), ids(first!, second!));
  assert.equal(lists(), 3);
  changes.disconnect();
  fake.waiting.push(fourth!);
  fake.owned.add(fourth!.address);
  fake.sequence += 1;
  assert.deepEqual(await paid(), ids(first!, second!, fourth!));
  await step();
  assert.equal(lists(), 4);
  changes.connect();
  await step();
  assert.equal(lists(), 5);
  add(fifth!);
  assert.deepEqual(await paid(), ids(first!, second!, fourth!, fifth!));
  assert.equal(lists(), 5);
});

test("takes a list when the node's size says that a change was not published", async () => {
  const { fake, add, step, paid, ids, lists } = await openPublished();
  const [first] = many(1);
  await step();
  add(first!, { lost: true });
  assert.deepEqual(await paid(), []);
  fake.ms += 5_000;
  assert.deepEqual(await paid(), []);
  assert.deepEqual(await paid(), ids(first!));
  assert.equal(lists(), 2);
});

test("takes a list when a payment that was seen waiting is on its way back from a block", async () => {
  const { fake, step, add, ids, lists } = await openPublished();
  const [first] = many(1);
  await step();
  fake.wanted = ids(first!);
  add(first!, { lost: true });
  assert.deepEqual((await step()).gone, []);
  assert.equal(lists(), 2);
});

test("asks again for what the node sent wrong, and follows another node by lists alone", async () => {
  const { fake, step, add, paid, ids, lists } = await openPublished();
  const [first, second] = many(2);
  await step();
  fake.twist = ({ params }) => (params[0] === first!.txid ? { ok: true, result: second!.hex } : undefined);
  add(first!);
  assert.equal((await step()).failure?.kind, "malformed");
  fake.twist = () => undefined;
  assert.deepEqual(await paid(), []);
  fake.ms += 5_000;
  assert.deepEqual(await paid(), ids(first!));
  assert.equal(lists(), 2);
  await step({}, "B");
  add(second!);
  assert.equal((await step({}, "B")).transfers.length, 2);
  assert.equal(lists(), 4);
});

test("follows by lists where the node refuses to say what it publishes, or refuses a block", async () => {
  const { fake, step, publish, add, leave, changes, paid, ids, count } = await openPublished();
  const [first, second] = many(2);
  await step();
  add(first!);
  assert.deepEqual(await paid(), ids(first!));
  // A pruned node may not have it any more.
  leave(first!);
  fake.sequence += 1;
  fake.twist = ({ method }) =>
    method === "getblock" ? { ok: false, code: -1, message: "Block not available (pruned data)" } : undefined;
  publish("C", "b3".repeat(32));
  assert.deepEqual(await paid(), []);
  // Core answers 403 to what is not in the user's rpcwhitelist.
  fake.twist = ({ method }) => {
    if (method === "getzmqnotifications") throw new NodeError("unreachable", "403");
    return undefined;
  };
  changes.connect();
  add(second!);
  assert.deepEqual(await paid(), ids(second!));
  await step();
  assert.equal(count("getzmqnotifications"), 2);
});

test("takes a list when a block may be older than the list, or a number comes twice", async () => {
  const { fake, publish, add, paid, ids, lists } = await openPublished();
  const [first, second, third] = many(3);
  const block = "b4".repeat(32);
  fake.blocks[block] = [first!.txid];
  fake.waiting = [first!];
  fake.owned.add(first!.address);
  fake.sequence = 5;
  assert.deepEqual(await paid(), ids(first!));
  // It was in a block and back before the list. The messages come after it.
  publish("C", block);
  assert.deepEqual(await paid(), ids(first!));
  publish("D", block);
  fake.sequence = 4;
  publish("A", first!.txid);
  add(second!);
  assert.deepEqual(await paid(), ids(first!, second!));
  assert.equal(lists(), 2);
  // Another node behind the same endpoint.
  fake.sequence = 2;
  add(third!);
  assert.deepEqual(await paid(), ids(first!, second!, third!));
  assert.equal(lists(), 3);
});

test("says that a payment is gone only when no block with it was reorganized away", async () => {
  const { fake, step, publish, add, leave, lists } = await openPublished();
  const [first] = many(1);
  const block = "b5".repeat(32);
  fake.blocks[block] = [first!.txid];
  await step();
  add(first!);
  await step();
  leave(first!);
  fake.sequence += 1;
  publish("C", block);
  fake.wanted = [first!.txid];
  assert.deepEqual((await step()).gone, [first!.txid]);
  assert.equal(lists(), 1);
  // It waits again, and its message is on the way.
  publish("D", block);
  fake.waiting.push(first!);
  fake.sequence += 1;
  assert.deepEqual((await step()).gone, []);
  assert.equal(lists(), 2);
});

test("a quiet connection is no proof that nothing changed: only the node's size is, every five seconds", async () => {
  const { fake, step, add, count } = await openPublished();
  const [first, second] = many(2);
  assert.equal((await step()).looked, true);
  add(first!);
  assert.equal((await step()).looked, true);
  fake.ms += 1_000;
  assert.equal((await step()).looked, false);
  fake.ms += 5_000;
  assert.equal((await step()).looked, true);
  assert.equal((await step()).looked, false);
  assert.equal(count("getmempoolinfo"), 2);
  add(second!, { lost: true });
  fake.ms += 5_000;
  assert.equal((await step()).looked, false);
  const listed = await step();
  assert.deepEqual([listed.looked, listed.transfers.length], [true, 2]);
});
