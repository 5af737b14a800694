import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { refused } from "#tests/support/withdrawal-steps.ts";
import { aHash } from "#tests/support/withdrawals.ts";
import { FINAL, payment, ScriptedNode, waiting } from "./scripted-nodes.ts";
import { fundScripted, openScripted } from "./scripted-withdrawals.ts";

const t = await databaseOfFile();
await fundScripted(t.db);

const open = () => openScripted(t.db);
const { stateOf } = open();

test("no transaction follows one that a node calls dead and another knows as one that pays", async () => {
  const w = open();
  const { id, refid } = await w.create();
  const failed = w.known(waiting());
  assert.ok((await w.sent(refid, failed)).ok);
  w.node.known.set(failed, payment({ failed: true }));
  const next = w.known();
  w.second.known.set(failed, payment());
  assert.deepEqual(await w.replace(refid, next), refused("nodes_disagree"));
  w.second.known.set(failed, waiting());
  assert.deepEqual(await w.replace(refid, next), refused("nodes_disagree"));
  w.second.failing = true;
  assert.deepEqual(await w.replace(refid, next), refused("nodes_incomplete"));
  w.second.failing = false;
  w.second.known.set(failed, payment({ failed: true }));
  const [mistyped, right] = [aHash(), w.known()];
  assert.ok((await w.replace(refid, mistyped)).ok);
  w.second.known.set(failed, payment());
  assert.deepEqual(await w.correct(refid, right), refused("nodes_disagree"));
  w.second.known.delete(failed);
  assert.ok((await w.correct(refid, right)).ok);
  await w.follow();
  assert.deepEqual(await stateOf(id), { status: "completed", txHash: right, hashes: [failed, right] });
});

test("no transaction follows a dead one while a node that answered before is silent about it", async () => {
  const w = open();
  const { refid } = await w.create();
  const failed = w.known(waiting());
  assert.ok((await w.sent(refid, failed)).ok);
  w.node.known.set(failed, payment({ failed: true }));
  const next = w.known();
  w.second.known.set(failed, payment());
  let asked = 0;
  // It answers one question about the transaction, the first, and is then limited.
  w.second.answers = (hash) => hash !== failed || ++asked === 1;
  assert.deepEqual(await w.replace(refid, next), refused("nodes_disagree"));
});

test("a transaction follows an excluded one, although another node still shows it as waiting", async () => {
  const w = open();
  const { id, refid } = await w.create();
  const waits = waiting();
  const stuck = w.known(waits);
  assert.ok((await w.sent(refid, stuck)).ok);
  const canceled = w.known(payment({ spends: waits.spends, payments: [] }));
  assert.ok((await w.replace(refid, canceled)).ok);
  // The node that is asked first has dropped it. The other one keeps it, next to the final one that excludes it.
  w.node.known.delete(stuck);
  w.second.known.set(stuck, waits);
  const next = w.known();
  assert.deepEqual(await w.replace(refid, next), refused("nodes_disagree"), "the other one lags");
  w.second.known.set(canceled, payment({ spends: waits.spends, payments: [] }));
  assert.ok((await w.replace(refid, next)).ok);
  await w.follow();
  assert.deepEqual(await stateOf(id), {
    status: "completed",
    txHash: next,
    hashes: [stuck, canceled, next],
  });
});

test("does not settle because one node calls another transaction dead that pays, unless the operator abandons it", async () => {
  const w = open();
  const { id, refid } = await w.create();
  const first = w.known(waiting());
  await w.sent(refid, first);
  // The node that is asked first errs: the transaction has paid.
  w.node.known.set(first, payment({ failed: true }));
  const again = w.known();
  for (const known of [payment(), waiting()]) {
    w.second.known.set(first, known);
    assert.deepEqual(await w.settle(refid, again), refused("other_transaction_may_pay"));
  }
  w.second.failing = true;
  assert.deepEqual(await w.settle(refid, again), refused("nodes_incomplete"));
  w.second.failing = false;
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: first, hashes: [first] });
  assert.equal((await w.settle(refid, again, true)).ok, true);

  const silent = await w.create();
  const dead = w.known(waiting());
  await w.sent(silent.refid, dead);
  w.node.known.set(dead, payment({ failed: true }));
  w.second.failing = true;
  assert.equal((await w.settle(silent.refid, w.known(), true)).ok, true);
  await w.booksAgree();
});

test("does not settle with a payment that another node knows as failed or as not final yet", async () => {
  const w = open();
  const { refid } = await w.create();
  const first = w.known(waiting());
  await w.sent(refid, first);
  w.node.known.set(first, payment({ failed: true }));
  const again = w.known();
  w.second.known.set(again, payment({ failed: true }));
  assert.deepEqual(await w.settle(refid, again, true), refused("transaction_amount_mismatch"));
  w.second.known.set(again, payment({ block: { height: FINAL + 1, hash: "0xb" } }));
  assert.deepEqual(await w.settle(refid, again), refused("transaction_not_final"));
  w.second.known.set(again, payment());
  assert.equal((await w.settle(refid, again)).ok, true);
  await w.booksAgree();
});

test("settles with no payment that another node denies, whatever a node says about an abandoned transaction", async () => {
  const third = new ScriptedNode();
  const w = openScripted(t.db, third);
  const { id, refid } = await w.create();
  const first = w.known(waiting());
  await w.sent(refid, first);
  const again = w.known();
  const settle = () => w.settle(refid, again, true);
  const unfinal = payment({ block: { height: FINAL + 1, hash: "0xb" } });
  const denials = [
    [payment({ failed: true }), "transaction_amount_mismatch"],
    [unfinal, "transaction_not_final"],
  ] as const;
  w.second.known.set(first, waiting());
  for (const [denial, reason] of denials) {
    w.second.known.set(again, denial);
    assert.deepEqual(await settle(), refused(reason), "both show the other one as waiting");
  }
  w.node.known.set(first, payment({ failed: true }));
  w.second.known.delete(again);
  for (const [denial, reason] of denials) {
    third.known.set(again, denial);
    assert.deepEqual(await settle(), refused(reason), "the second shows the other one as waiting");
    w.second.failing = true;
    assert.deepEqual(await settle(), refused(reason), "the second does not answer");
    w.second.failing = false;
  }
  // It knows the payment, and answers nothing about the other one.
  third.unreadable.add(first);
  assert.deepEqual(await settle(), refused("transaction_not_final"));
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: first, hashes: [first] });
  third.known.set(again, payment());
  assert.equal((await settle()).ok, true);
  await w.booksAgree();
});
