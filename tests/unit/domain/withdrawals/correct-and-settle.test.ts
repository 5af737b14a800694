import assert from "node:assert/strict";
import { test } from "node:test";
import { and, eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { refused } from "#tests/support/withdrawal-steps.ts";
import { ACTOR, accountsOf, aHash, USDT } from "#tests/support/withdrawals.ts";
import { FINAL, payment, waiting } from "./scripted-nodes.ts";
import { fundScripted, openScripted } from "./scripted-withdrawals.ts";

const t = await databaseOfFile();
const merchantId = await fundScripted(t.db);

const open = () => openScripted(t.db);
const { stateOf } = open();
async function decisionsOf(refid: string, action: string): Promise<Record<string, unknown>[]> {
  const about = and(eq(auditLog.subject, `withdrawal:${refid}`), eq(auditLog.action, action));
  const rows = await t.db.select().from(auditLog).where(about);
  return rows.map(({ actor, details }) => ({ actor, ...details }));
}
async function eventsOf(refid: string) {
  const rows = await t.db.select().from(webhookEvents);
  return rows.filter(({ body }) => JSON.parse(body).data.refid === refid).map(({ type }) => type);
}
async function booksAgree() {
  assert.deepEqual((await checkLedger(t.db)).problems, []);
}

test("corrects a hash that no node knows, with an audit entry, and completes with the correct one", async () => {
  const w = open();
  const { id, refid, hash: mistyped } = await w.mistyped();
  const real = w.known();
  assert.deepEqual(await w.replace(refid, real), refused("not_a_replacement"));
  assert.deepEqual(await w.fail(refid), refused("withdrawal_may_still_pay"));
  const corrected = await w.correct(refid, real);
  assert.deepEqual(corrected.ok && [corrected.withdrawal.status, corrected.withdrawal.txHash], [
    "processing",
    real,
  ]);
  assert.deepEqual(await decisionsOf(refid, "withdrawal.correct"), [
    { actor: ACTOR, env: "test", tx_hash: real, mistyped },
  ]);
  await w.follow();
  assert.deepEqual(await stateOf(id), { status: "completed", txHash: real, hashes: [real] });
  assert.deepEqual(await eventsOf(refid), ["withdrawal_completed"]);
  await booksAgree();
});

test("refuses a correction for good once any node has reported the transaction", async () => {
  const w = open();
  const [one, two] = [await w.mistyped(), await w.mistyped()];
  const real = w.known();
  // The node that is asked first does not know it, and later nobody does.
  w.second.known.set(one.hash, waiting());
  assert.deepEqual(await w.correct(one.refid, real), refused("transaction_was_seen"));
  w.second.known.clear();
  assert.deepEqual(await w.correct(one.refid, real), refused("transaction_was_seen"));
  // Only the worker saw it. Solana's nodes report neither a nonce nor a block of a waiting transaction.
  w.node.known.set(two.hash, { ...waiting(), spends: [] });
  await w.follow();
  w.node.known.delete(two.hash);
  await open().follow();
  assert.deepEqual(await w.correct(two.refid, real), refused("transaction_was_seen"));
  assert.deepEqual(await decisionsOf(one.refid, "withdrawal.correct"), []);
  await booksAgree();
});

test("corrects only to a known transaction that can pay the amount and belongs to no other withdrawal", async () => {
  const w = open();
  const { id, refid, hash } = await w.mistyped();
  const pending = await w.create();
  const other = await w.create();
  const taken = w.known();
  assert.equal((await w.sent(other.refid, taken)).ok, true);
  const cases = [
    [refid, "0x12", "tx_hash_malformed"],
    [refid, hash, "transaction_already_submitted"],
    [refid, aHash(), "transaction_unknown"],
    [refid, w.known(payment({}, 9n * USDT)), "transaction_amount_mismatch"],
    [refid, w.known(payment({ failed: true })), "transaction_amount_mismatch"],
    [refid, taken, "tx_hash_taken"],
    [pending.refid, w.known(), "withdrawal_not_sent"],
    ["1", w.known(), "withdrawal_not_found"],
  ] as const;
  for (const [about, correct, reason] of cases) {
    assert.deepEqual(await w.correct(about, correct), refused(reason));
  }
  w.second.failing = true;
  assert.deepEqual(await w.correct(refid, w.known()), refused("nodes_incomplete"));
  w.node.failing = true;
  assert.deepEqual(await w.correct(refid, w.known()), refused("node_unavailable"));
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: hash, hashes: [hash] });
  const later = open();
  assert.equal((await later.correct(refid, later.known(waiting()))).ok, true);
});

test("of two corrections at the same time one wins", async () => {
  const w = open();
  const { id, refid, hash: mistyped } = await w.mistyped();
  const both = [w.known(), w.known()];
  let asked: ReturnType<typeof w.correct>[] = [];
  const release = await w.node.hold(mistyped, 2, () => {
    asked = both.map((hash) => w.correct(refid, hash));
  });
  release();
  const answers = await Promise.all(asked);
  assert.deepEqual(
    answers.filter(({ ok }) => !ok),
    [refused("withdrawal_changed")],
  );
  const winner = both[answers.findIndex(({ ok }) => ok)]!;
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: winner, hashes: [winner] });
  assert.equal((await decisionsOf(refid, "withdrawal.correct")).length, 1);
});

for (const [what, height] of [
  ["paid in a final block", FINAL],
  ["included in a block", FINAL + 1],
] as const) {
  test(`a worker that saw the corrected hash ${what} changes nothing any more`, async () => {
    const [w, other] = [open(), open()];
    const { id, refid, hash } = await w.mistyped();
    const real = w.known(waiting());
    other.node.known.set(hash, payment({ block: { height, hash: "0xb" } }));
    let following: Promise<void> | null = null;
    const release = await other.node.hold(hash, 1, () => {
      following = other.follow();
    });
    assert.equal((await w.correct(refid, real)).ok, true);
    release();
    await following;
    assert.deepEqual(await stateOf(id), { status: "processing", txHash: real, hashes: [real] });
    assert.equal((await w.row(id)).transactions[0]!.block, null);
    await booksAgree();
  });
}

test("a worker that knows less does not erase that a node has seen the transaction", async () => {
  const [w, other] = [open(), open()];
  const { id, hash } = await w.mistyped();
  const long = new Date(Date.now() + 3_600_000);
  let following: Promise<void> | null = null;
  const release = await other.node.hold(hash, 1, () => {
    following = other.follow(long);
  });
  w.node.known.set(hash, waiting());
  await w.follow();
  release();
  await following;
  assert.deepEqual(
    (await w.row(id)).transactions.map(({ seen, spends }) => [seen, spends.length]),
    [[true, 1]],
  );
});

test("settles a withdrawal with the transaction that paid it, whatever was submitted", async () => {
  const w = open();
  const unknown = await w.mistyped();
  const [less, contract, dead] = [await w.create(), await w.create(), await w.create()];
  await w.sent(less.refid, w.known(waiting()));
  const lessHash = (await w.row(less.id)).txHash!;
  w.node.known.set(lessHash, payment({}, 9n * USDT));
  await w.sent(contract.refid, w.known(payment({ payments: [], inconclusiveToken: "usdt" })));
  const deadHash = aHash();
  await w.sent(dead.refid, deadHash);
  w.node.known.set(deadHash, payment({ failed: true }));
  await w.follow();
  for (const { id, refid } of [unknown, less, contract, dead]) {
    const before = await accountsOf(t.db);
    const { txHash } = await w.row(id);
    const real = w.known();
    const settled = await w.settle(refid, real);
    assert.deepEqual(settled.ok && [settled.withdrawal.status, settled.withdrawal.txHash], [
      "completed",
      real,
    ]);
    const { finding, failureReason, processedAt } = await w.row(id);
    assert.deepEqual([finding, failureReason, processedAt !== null], [null, null, true]);
    assert.deepEqual(await decisionsOf(refid, "withdrawal.settle"), [
      {
        ...{ actor: ACTOR, env: "test", tx_hash: real, instead_of: txHash },
        ...{ released_from: "", abandon_others: false },
      },
    ]);
    assert.deepEqual(await eventsOf(refid), ["withdrawal_completed"]);
    const books = await accountsOf(t.db);
    assert.equal(books[`reserved:${id}`], undefined);
    assert.equal(books["custody:bep20"]! - before["custody:bep20"]!, 10n * USDT);
    assert.equal(books.fees! - (before.fees ?? 0n), USDT);
    assert.equal(books[`merchant:${merchantId}`], before[`merchant:${merchantId}`]);
    assert.deepEqual(await w.settle(refid, real), refused("withdrawal_completed"));
    assert.deepEqual(await w.settle(refid, w.known()), refused("withdrawal_completed"));
  }
  await booksAgree();
});

test("does not settle without the proof of the chain, or with a payment that another withdrawal counts", async () => {
  const w = open();
  const { id, refid, hash } = await w.mistyped();
  const [paid, submitted, pending] = [await w.create(), await w.create(), await w.create()];
  const counted = w.known();
  await w.sent(paid.refid, counted);
  await w.follow();
  const awaited = w.known();
  await w.sent(submitted.refid, awaited);
  const elsewhere = { position: 0, token: "usdt", address: "0xelsewhere", amount: 10n * USDT } as const;
  const cases = [
    [refid, w.known(payment({ block: { height: FINAL + 1, hash: "0xb" } })), "transaction_not_final"],
    [refid, w.known(payment({ payments: [elsewhere] })), "transaction_amount_mismatch"],
    [refid, counted, "tx_hash_taken"],
    [refid, awaited, "tx_hash_taken"],
    [refid, "12", "tx_hash_malformed"],
    [pending.refid, w.known(), "withdrawal_not_sent"],
    ["1", w.known(), "withdrawal_not_found"],
  ] as const;
  for (const [about, txHash, reason] of cases) {
    assert.deepEqual(await w.settle(about, txHash), refused(reason), txHash);
  }
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: hash, hashes: [hash] });
  await booksAgree();
});

test("settles two withdrawals to one address whose hashes were swapped", async () => {
  const w = open();
  const [ten, twenty] = [await w.create(), await w.create(20n * USDT)];
  const [paysTen, paysTwenty] = [aHash(), aHash()];
  await w.sent(ten.refid, paysTwenty);
  await w.sent(twenty.refid, paysTen);
  w.node.known.set(paysTen, payment({ block: null }));
  assert.deepEqual(await w.settle(ten.refid, paysTen), refused("transaction_not_final"));
  assert.equal((await w.row(twenty.id)).txHash, paysTen);
  w.node.known.set(paysTen, payment());
  w.node.known.set(paysTwenty, payment({}, 20n * USDT));
  await w.follow();
  assert.equal((await w.settle(ten.refid, paysTen)).ok, true);
  assert.deepEqual(await stateOf(ten.id), {
    status: "completed",
    txHash: paysTen,
    hashes: [paysTwenty, paysTen],
  });
  assert.equal((await decisionsOf(ten.refid, "withdrawal.settle"))[0]!.released_from, twenty.refid);
  await w.follow();
  assert.deepEqual(await stateOf(twenty.id), { status: "processing", txHash: null, hashes: [paysTen] });
  assert.deepEqual(await w.fail(twenty.refid), refused("withdrawal_amount_mismatch"));
  assert.equal((await w.settle(twenty.refid, paysTwenty)).ok, true);
  await booksAgree();
});

test("settles two withdrawals whose hashes were swapped at the same time", async () => {
  for (let round = 0; round < 5; round += 1) {
    const w = open();
    const [ten, twenty] = [await w.create(), await w.create(20n * USDT)];
    const [paysTen, paysTwenty] = [aHash(), aHash()];
    await w.sent(ten.refid, paysTwenty);
    await w.sent(twenty.refid, paysTen);
    w.node.known.set(paysTen, payment());
    w.node.known.set(paysTwenty, payment({}, 20n * USDT));
    const settled = await Promise.all([w.settle(ten.refid, paysTen), w.settle(twenty.refid, paysTwenty)]);
    assert.deepEqual(
      settled.map(({ ok }) => ok),
      [true, true],
    );
  }
  await booksAgree();
});

test("does not settle when a worker has meanwhile seen the transaction that counts as mistyped", async () => {
  const [w, other] = [open(), open()];
  const { id, refid, hash } = await w.mistyped();
  const real = w.known();
  other.node.known.set(hash, waiting());
  let settling: ReturnType<typeof w.settle> | null = null;
  const release = await w.node.hold(hash, 1, () => {
    settling = w.settle(refid, real);
  });
  await other.follow();
  release();
  assert.deepEqual(await settling, refused("withdrawal_changed"));
  assert.deepEqual(await stateOf(id), { status: "processing", txHash: hash, hashes: [hash] });
  assert.deepEqual(await w.settle(refid, real), refused("other_transaction_may_pay"));
  await booksAgree();
});

test("does not settle while any node may know the transaction that counts as mistyped", async () => {
  const w = open();
  const { refid, hash } = await w.mistyped();
  const real = w.known();
  w.second.failing = true;
  assert.deepEqual(await w.settle(refid, real), refused("nodes_incomplete"));
  w.second.failing = false;
  w.second.known.set(hash, waiting());
  assert.deepEqual(await w.settle(refid, real), refused("other_transaction_may_pay"));
  w.second.known.clear();
  assert.equal((await w.settle(refid, real)).ok, true);
  await booksAgree();
});

test("settles while another submitted transaction may still pay only when the operator abandons it", async () => {
  const w = open();
  const { id, refid } = await w.create();
  const first = w.known(waiting());
  await w.sent(refid, first);
  const real = w.known();
  assert.deepEqual(await w.settle(refid, real), refused("other_transaction_may_pay"));
  w.node.known.delete(first);
  assert.deepEqual(await w.settle(refid, real), refused("other_transaction_may_pay"), "it was seen");
  w.node.known.set(first, payment());
  assert.deepEqual(await w.settle(refid, real), refused("other_transaction_may_pay"), "it has paid");
  assert.equal((await w.settle(refid, real, true)).ok, true);
  assert.deepEqual(await stateOf(id), { status: "completed", txHash: real, hashes: [first, real] });
  assert.equal((await decisionsOf(refid, "withdrawal.settle"))[0]!.abandon_others, true);

  // A payment that excludes the other one is safe.
  const next = await w.create();
  const replaced = waiting();
  await w.sent(next.refid, w.known(replaced));
  assert.equal((await w.settle(next.refid, w.known(payment({ spends: replaced.spends })))).ok, true);
  await booksAgree();
});

test("one payment settles one withdrawal, and a worker at the same time counts nothing twice", async () => {
  const w = open();
  const [one, two] = [await w.mistyped(), await w.mistyped()];
  const shared = w.known();
  const answers = await Promise.all([w.settle(one.refid, shared), w.settle(two.refid, shared)]);
  assert.deepEqual(
    answers.filter(({ ok }) => !ok),
    [refused("tx_hash_taken")],
  );
  const left = answers[0]!.ok ? two : one;
  const real = w.known();
  assert.equal((await w.correct(left.refid, real)).ok, true);
  await Promise.all([w.follow(), w.settle(left.refid, real), w.follow(), w.settle(left.refid, real)]);
  assert.deepEqual(await stateOf(left.id), { status: "completed", txHash: real, hashes: [real] });
  assert.deepEqual(await eventsOf(left.refid), ["withdrawal_completed"]);
  await booksAgree();
});
