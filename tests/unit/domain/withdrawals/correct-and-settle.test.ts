import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { correctTransaction } from "#lib/domain/withdrawals/correct-transaction.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/replace-transaction.ts";
import { settleWithdrawal } from "#lib/domain/withdrawals/settle-withdrawal.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { FINAL, payment, ScriptedNode, scriptedNetworks, waiting } from "#tests/support/scripted-nodes.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { ACTOR, accountsOf, aHash, aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
let t: TestDatabase;
let merchantId: number;

before(async () => {
  t = await testDatabase();
  merchantId = await aMerchant(t.db, EMAIL);
  await fund(t.db, scriptedNetworks(new ScriptedNode()).find("test", "bep20")!, merchantId, 10_000n * USDT);
});
after(() => t.close());

/** Two nodes. The use cases ask the first, except a correction, which asks both. */
function open() {
  const [node, second] = [new ScriptedNode(), new ScriptedNode()];
  const deps = { db: t.db, networks: scriptedNetworks(node, second) };
  const lines: Record<string, unknown>[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const naming = (refid: string, txHash: string) => ({ env: "test", refid, txHash, actor: ACTOR }) as const;
  const sent = (refid: string, hash: string, at = new Date()) => markSent(deps, naming(refid, hash), at);
  return {
    ...{ node, second, sent },
    /** A withdrawal of 10 USDT whose submitted hash no node knows. */
    async mistyped() {
      const { id, refid } = await aWithdrawal(deps, EMAIL);
      const hash = aHash();
      assert.equal((await sent(refid, hash)).ok, true);
      return { id, refid, hash };
    },
    create: (amount = 10n * USDT) => aWithdrawal(deps, EMAIL, { amount }),
    replace: (refid: string, hash: string) => replaceTransaction(deps, naming(refid, hash), new Date()),
    correct: (refid: string, hash: string) => correctTransaction(deps, naming(refid, hash), new Date()),
    settle: (refid: string, hash: string, abandonOthers = false) =>
      settleWithdrawal(deps, { ...naming(refid, hash), abandonOthers }, new Date()),
    fail: (refid: string, reason: string | null = null) =>
      failWithdrawal(deps, { env: "test", refid, reason, actor: ACTOR }, new Date()),
    follow: (now = new Date()) => followWithdrawals({ ...deps, log, now: () => now }),
    logged: (refid: string) =>
      lines.filter((line) => line.refid === refid).map(({ level, msg, finding }) => [level, msg, finding]),
    /** A hash that the first node knows. */
    known(what = payment()) {
      const hash = aHash();
      node.known.set(hash, what);
      return hash;
    },
  };
}

const refused = (reason: string) => ({ ok: false, reason });
async function rowOf(id: number) {
  const [row] = await t.db.select().from(withdrawals).where(eq(withdrawals.id, id));
  return row!;
}
const stateOf = async (id: number) => {
  const { status, txHash, transactions } = await rowOf(id);
  return { status, txHash, hashes: transactions.map(({ hash }) => hash) };
};
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
  assert.deepEqual(corrected.ok && [corrected.withdrawal.status, corrected.withdrawal.txHash], [1, real]);
  assert.deepEqual(await decisionsOf(refid, "withdrawal.correct"), [
    { actor: ACTOR, env: "test", tx_hash: real, mistyped },
  ]);
  await w.follow();
  assert.deepEqual(await stateOf(id), { status: 3, txHash: real, hashes: [real] });
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
  assert.deepEqual(await stateOf(id), { status: 1, txHash: hash, hashes: [hash] });
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
  assert.deepEqual(await stateOf(id), { status: 1, txHash: winner, hashes: [winner] });
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
    assert.deepEqual(await stateOf(id), { status: 1, txHash: real, hashes: [real] });
    assert.equal((await rowOf(id)).transactions[0]!.block, null);
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
    (await rowOf(id)).transactions.map(({ seen, spends }) => [seen, spends.length]),
    [[true, 1]],
  );
});

test("settles a withdrawal with the transaction that paid it, whatever was submitted", async () => {
  const w = open();
  const unknown = await w.mistyped();
  const [less, contract, dead] = [await w.create(), await w.create(), await w.create()];
  await w.sent(less.refid, w.known(waiting()));
  const lessHash = (await rowOf(less.id)).txHash!;
  w.node.known.set(lessHash, payment({}, 9n * USDT));
  await w.sent(contract.refid, w.known(payment({ payments: [], inconclusiveToken: "usdt" })));
  const deadHash = aHash();
  await w.sent(dead.refid, deadHash);
  w.node.known.set(deadHash, payment({ failed: true }));
  await w.follow();
  for (const { id, refid } of [unknown, less, contract, dead]) {
    const before = await accountsOf(t.db);
    const { txHash } = await rowOf(id);
    const real = w.known();
    const settled = await w.settle(refid, real);
    assert.deepEqual(settled.ok && [settled.withdrawal.status, settled.withdrawal.txHash], [3, real]);
    const { finding, failureReason, processedAt } = await rowOf(id);
    assert.deepEqual([finding, failureReason, processedAt !== null], [null, null, true]);
    assert.deepEqual(await decisionsOf(refid, "withdrawal.settle"), [
      { actor: ACTOR, env: "test", tx_hash: real, instead_of: txHash, abandon_others: false },
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
    [refid, aHash(), "transaction_not_final"],
    [refid, w.known(waiting()), "transaction_not_final"],
    [refid, w.known(payment({ block: { height: FINAL + 1, hash: "0xb" } })), "transaction_not_final"],
    [refid, w.known(payment({}, 10n * USDT - 1n)), "transaction_amount_mismatch"],
    [refid, w.known(payment({ payments: [elsewhere] })), "transaction_amount_mismatch"],
    [refid, w.known(payment({ failed: true })), "transaction_amount_mismatch"],
    [refid, w.known(payment({ payments: [], inconclusiveToken: "usdt" })), "transaction_amount_mismatch"],
    [refid, counted, "tx_hash_taken"],
    [refid, awaited, "tx_hash_taken"],
    [refid, "12", "tx_hash_malformed"],
    [pending.refid, w.known(), "withdrawal_not_sent"],
    ["1", w.known(), "withdrawal_not_found"],
  ] as const;
  for (const [about, txHash, reason] of cases) {
    assert.deepEqual(await w.settle(about, txHash), refused(reason), txHash);
  }
  assert.deepEqual(await stateOf(id), { status: 1, txHash: hash, hashes: [hash] });
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
  assert.deepEqual(await stateOf(id), { status: 3, txHash: real, hashes: [first, real] });
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
  assert.deepEqual(await stateOf(left.id), { status: 3, txHash: real, hashes: [real] });
  assert.deepEqual(await eventsOf(left.refid), ["withdrawal_completed"]);
  await booksAgree();
});

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
  const { status, finding, failureReason } = await rowOf(id);
  assert.deepEqual([status, finding, failureReason], [1, "unpayable", "its transaction failed on the chain"]);
  assert.deepEqual(await accountsOf(t.db), before);
  const failed = await w.fail(refid);
  assert.deepEqual(failed.ok && [failed.withdrawal.finding, failed.withdrawal.failureReason], [
    null,
    "its transaction failed on the chain",
  ]);
  await w.follow();
  assert.equal((await rowOf(id)).status, 2);
  await booksAgree();
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
  assert.equal((await rowOf(again.id)).finding, null);
});

test("reports a hash that no node knows after ten minutes, until a node knows it", async () => {
  const w = open();
  const { id, refid, hash } = await w.mistyped();
  await w.follow(new Date(Date.now() + 9 * 60_000));
  assert.deepEqual(w.logged(refid), []);
  const late = new Date(Date.now() + 11 * 60_000);
  await w.follow(late);
  await w.follow(late);
  assert.equal((await rowOf(id)).finding, "unknown");
  w.node.known.set(hash, waiting());
  await w.follow(late);
  const { finding, failureReason } = await rowOf(id);
  assert.deepEqual([finding, failureReason], [null, null]);
  assert.deepEqual(w.logged(refid), [
    ["error", "withdrawal needs manual review", "unknown"],
    ["info", "withdrawal no longer needs manual review", undefined],
  ]);
});
