import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listAttention } from "#lib/domain/attention/queries.ts";
import { attention } from "#lib/domain/attention/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { payment, waiting } from "#tests/unit/domain/withdrawals/scripted-nodes.ts";
import { fundScripted, openScripted } from "#tests/unit/domain/withdrawals/scripted-withdrawals.ts";

const t = await databaseOfFile();
await fundScripted(t.db);
beforeEach(async () => {
  await t.db.delete(attention);
});

const marks = async () =>
  (await listAttention(t.db, { after: null, limit: 9 })).map(({ subject }) => subject);

/** A processing withdrawal about whose transaction the nodes answer errors, so that it is set aside. */
async function openAside() {
  const w = openScripted(t.db);
  const { id, refid } = await w.create();
  const hash = w.known(waiting());
  assert.ok((await w.sent(refid, hash)).ok);
  w.node.unreadable.add(hash);
  w.second.failing = true;
  await w.follow();
  assert.deepEqual(await marks(), [`withdrawal:${refid}`]);
  const [mark] = await t.db.select().from(attention);
  assert.match(mark?.reason ?? "", /missing trie node/);
  w.node.unreadable.delete(hash);
  w.second.failing = false;
  return { ...w, id, refid, hash };
}

test("a withdrawal that a person settles takes the mark of its failure with it", async () => {
  const w = await openAside();
  w.node.known.set(w.hash, payment({ failed: true }));
  assert.equal((await w.settle(w.refid, w.known())).ok, true);
  assert.deepEqual(await marks(), []);
});

test("a withdrawal that another worker completes takes the mark of its failure with it", async () => {
  const w = openScripted(t.db);
  const { id, refid } = await w.create();
  const hash = w.known(payment());
  assert.ok((await w.sent(refid, hash)).ok);
  let following: Promise<void> | null = null;
  const answer = await w.node.hold(hash, 1, () => {
    following = w.follow();
  });
  // Another worker, whose nodes answer errors.
  const other = openScripted(t.db);
  other.node.unreadable.add(hash);
  other.second.failing = true;
  await other.follow();
  assert.deepEqual(await marks(), [`withdrawal:${refid}`]);
  answer();
  await following;
  assert.equal((await w.row(id)).status, "completed");
  assert.deepEqual(await marks(), []);
});

test("a worker that fails leaves no mark of a withdrawal that has ended meanwhile", async () => {
  const w = openScripted(t.db);
  const { id, refid } = await w.create();
  const hash = w.known(payment());
  assert.ok((await w.sent(refid, hash)).ok);
  const other = openScripted(t.db);
  other.second.failing = true;
  other.node.answers = async () => {
    await w.follow();
    return false;
  };
  await other.follow();
  assert.equal((await w.row(id)).status, "completed");
  assert.deepEqual(await marks(), []);
});

test("a withdrawal about which the nodes answer errors holds back none that is newer, and completes later", async () => {
  const w = await openAside();
  w.node.unreadable.add(w.hash);
  await t.db.update(attention).set({ retryAt: new Date(0) });
  const newer = await w.create();
  assert.ok((await w.sent(newer.refid, w.known(payment()))).ok);
  await w.follow();
  assert.equal((await w.row(newer.id)).status, "completed");
  assert.deepEqual(await marks(), [`withdrawal:${w.refid}`]);
  w.node.unreadable.clear();
  const paid = payment();
  for (const node of [w.node, w.second]) node.known.set(w.hash, paid);
  await w.follow();
  assert.equal((await w.row(w.id)).status, "processing", "it is not tried before its time");
  await t.db.update(attention).set({ retryAt: new Date(0) });
  await w.follow();
  assert.equal((await w.row(w.id)).status, "completed");
  assert.deepEqual(await marks(), []);
});

test("a withdrawal about which the nodes answer errors is tried again at least every five minutes", async () => {
  const w = await openAside();
  w.node.unreadable.add(w.hash);
  w.second.failing = true;
  const pauses: number[] = [];
  for (let n = 0; n < 6; n++) {
    const [before] = await listAttention(t.db, { after: null, limit: 9 });
    await w.follow(before!.retryAt);
    const [after] = await listAttention(t.db, { after: null, limit: 9 });
    pauses.push((after!.retryAt.getTime() - before!.retryAt.getTime()) / 60_000);
  }
  assert.deepEqual(pauses, [2, 4, 5, 5, 5, 5]);
});
