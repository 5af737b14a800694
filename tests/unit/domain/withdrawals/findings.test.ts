import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { accountsOf } from "#tests/support/withdrawals.ts";
import { payment, waiting } from "./scripted-nodes.ts";
import { fundScripted, openScripted } from "./scripted-withdrawals.ts";

const t = await databaseOfFile();
await fundScripted(t.db);

const open = () => openScripted(t.db);

test("logs a transaction that failed for good once, keeps the reservation, and fails with the chain's reason", async () => {
  const w = open();
  const { id, refid } = await w.create();
  const hash = w.known(waiting());
  await w.sent(refid, hash);
  await w.follow();
  assert.deepEqual(w.logged(refid), []);
  w.node.known.set(hash, payment({ failed: true, payments: [] }));
  const before = await accountsOf(t.db);
  let workers: Promise<void>[] = [];
  const release = await w.node.hold(hash, 2, () => {
    workers = [w.follow(), w.follow()];
  });
  release();
  await Promise.all(workers);
  await w.follow();
  assert.deepEqual(w.logged(refid), [["error", "withdrawal needs manual review", "unpayable"]]);
  const { status, finding, failureReason } = await w.row(id);
  assert.deepEqual(
    [status, finding, failureReason],
    ["processing", "unpayable", "its transaction failed on the chain"],
  );
  assert.deepEqual(await accountsOf(t.db), before);
  const failed = await w.fail(refid);
  assert.deepEqual(failed.ok && [failed.withdrawal.finding, failed.withdrawal.failureReason], [
    null,
    "its transaction failed on the chain",
  ]);
  await w.follow();
  assert.equal((await w.row(id)).status, "failed");
  assert.deepEqual((await checkLedger(t.db)).problems, []);
});

test("a reason of the operator is kept, and another transaction ends the finding", async () => {
  const w = open();
  const [given, again] = [await w.create(), await w.create()];
  for (const { refid } of [given, again]) {
    const hash = w.known(waiting());
    await w.sent(refid, hash);
    w.node.known.set(hash, payment({ failed: true, payments: [] }));
  }
  await w.follow();
  const failed = await w.fail(given.refid, "out of gas");
  assert.equal(failed.ok && failed.withdrawal.failureReason, "out of gas");
  const replaced = await w.replace(again.refid, w.known(waiting()));
  assert.deepEqual(replaced.ok && [replaced.withdrawal.finding, replaced.withdrawal.failureReason], [
    null,
    null,
  ]);
  await w.follow();
  assert.equal((await w.row(again.id)).finding, null);
});

test("reports a hash that no node knows after ten minutes, until a node knows it", async () => {
  const w = open();
  const { id, refid, hash } = await w.mistyped();
  await w.follow(new Date(Date.now() + 9 * 60_000));
  assert.deepEqual(w.logged(refid), []);
  const late = new Date(Date.now() + 11 * 60_000);
  await w.follow(late);
  await w.follow(late);
  assert.equal((await w.row(id)).finding, "unknown");
  w.node.known.set(hash, waiting());
  await w.follow(late);
  const { finding, failureReason } = await w.row(id);
  assert.deepEqual([finding, failureReason], [null, null]);
  assert.deepEqual(w.logged(refid), [
    ["error", "withdrawal needs manual review", "unknown"],
    ["info", "withdrawal no longer needs manual review", undefined],
  ]);
});
