/** A mempool whose node publishes each change: the reader takes one list and follows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/node-error.ts";
import { holdMempoolChanges } from "#lib/chains/utxo/mempool-changes.ts";
import { many, openFakeMempool, type payment } from "./fake-mempool.ts";

/** A node that publishes each change of its mempool. */
async function openPublished() {
  const opened = openFakeMempool();
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

test("takes a list when the connection has ended and the mempool is as it was at the list before it", async () => {
  const { fake, step, add, leave, changes, paid, ids } = await openPublished();
  const [paidAndGone] = many(1);
  fake.fees = 0;
  await step();
  add(paidAndGone!);
  fake.wanted = ids(paidAndGone!);
  assert.deepEqual(await paid(), fake.wanted);
  changes.disconnect();
  leave(paidAndGone!);
  assert.deepEqual((await step()).gone, fake.wanted);
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
