import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import {
  approveSettlement,
  prepareProposal,
  prepareSettlementApproval,
  proposeSettlement,
} from "#lib/domain/withdrawals/end/settle-otherwise.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { createApprover } from "#lib/signer/approvals.ts";
import { performAs } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { refused } from "#tests/support/withdrawal-steps.ts";
import { accountsOf, aHash, USDT } from "#tests/support/withdrawals.ts";
import { payment, scriptedNetworks, waiting } from "#tests/unit/domain/withdrawals/scripted-nodes.ts";
import { fundScripted, openScripted } from "#tests/unit/domain/withdrawals/scripted-withdrawals.ts";

const t = await databaseOfFile();
const merchantId = await fundScripted(t.db);

const [ADA, BOB] = [createApprover(), createApprover()];
const KEYS = new Map([
  ["ada", ADA.publicKey],
  ["bob", BOB.publicKey],
  ["ada2", ADA.publicKey],
]);
const person = (name: string, { secretKey }: typeof ADA, keys: ReadonlyMap<string, string> = KEYS) => ({
  name,
  secretKey,
  keys,
});
const [ada, bob] = [person("ada", ADA), person("bob", BOB)];

/** A withdrawal of 10 USDT whose transaction does what is given. */
async function open(paid: Parameters<typeof payment>[0] & { readonly amount?: bigint } = {}) {
  const w = openScripted(t.db);
  const { amount = 9n * USDT, ...changes } = paid;
  const hash = w.known(waiting());
  const { id, refid } = await w.create();
  assert.equal((await w.sent(refid, hash)).ok, true);
  w.node.known.set(hash, payment(changes, amount));
  await w.follow();
  const deps = { db: t.db, networks: scriptedNetworks(w.node, w.second) };
  const { networks } = deps;
  const found = async () => {
    const row = await findWithdrawalByRefid(t.db, { merchantId, env: "test", refid });
    assert.ok(row);
    return row;
  };
  const actorOf = ({ name }: { name: string }) => ({
    merchantId,
    actor: { kind: "operator", name } as const,
  });
  const given = {
    txHash: hash,
    asserted: null,
    excess: "costs",
    reason: "the wallet took its fee",
  } as const;
  return {
    ...{ ...w, id, refid, hash, deps },
    async propose(
      changes: { asserted?: bigint | null; excess?: "costs" | "merchant"; txHash?: string } = {},
      by = ada,
    ) {
      const prepared = await prepareProposal(deps, by, await found(), { ...given, ...changes });
      if (!prepared.ok) return prepared;
      const { terms } = prepared;
      return { terms, ...(await performAs(t.db, actorOf(by), proposeSettlement, { refid, ...prepared })) };
    },
    async approve(by = bob) {
      const prepared = await prepareSettlementApproval(deps, by, await found());
      if (!prepared.ok) return prepared;
      return performAs(t.db, actorOf(by), approveSettlement, { networks, refid, ...prepared });
    },
  };
}

const changesOf = async (work: () => Promise<void>) => {
  const before = await accountsOf(t.db);
  await work();
  assert.deepEqual((await checkLedger(t.db)).problems, []);
  const now = await accountsOf(t.db);
  const codes = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = codes.map((code) => [code, (now[code] ?? 0n) - (before[code] ?? 0n)] as const);
  return Object.fromEntries(changed.filter(([, change]) => change !== 0n));
};

test("settles a payment of less: the rest returns to the merchant, and the books, the record and the event say what was paid", async () => {
  const w = await open();
  assert.equal((await w.row(w.id)).finding, "amount_mismatch");
  const { fee } = await w.row(w.id);
  assert.deepEqual(await w.approve(), refused("settlement_not_found"));
  const proposed = await w.propose();
  assert.equal(proposed.ok && proposed.terms.paid, 9n * USDT);
  assert.equal((await w.row(w.id)).status, "processing", "nothing moves before the approval");
  const changes = await changesOf(async () => {
    assert.equal((await w.approve()).ok, true);
  });
  assert.deepEqual(changes, {
    [`merchant:${merchantId}`]: USDT,
    [`reserved:${w.id}`]: -10n * USDT - fee,
    "custody:bep20": 9n * USDT,
    ...(fee > 0n && { fees: fee }),
  });
  const { status, amount, txHash, finding } = await w.row(w.id);
  assert.deepEqual([status, amount, txHash, finding], ["completed", 9n * USDT, w.hash, null]);
  const events = await t.db.select().from(webhookEvents);
  const own = events
    .map(({ type, body }) => ({ type, ...JSON.parse(body).data }))
    .filter(({ refid }) => refid === w.refid);
  assert.deepEqual(
    own.map(({ type, value }) => [type, value]),
    [["withdrawal_completed", "9"]],
  );
  const rows = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `withdrawal:${w.refid}`));
  const settlers = rows
    .filter(({ action }) => action.endsWith("_settlement"))
    .map(({ action, details }) => [action, details!.settler]);
  assert.deepEqual(settlers, [
    ["withdrawal.propose_settlement", "ada"],
    ["withdrawal.approve_settlement", "bob"],
  ]);
  assert.deepEqual(await w.approve(), refused("withdrawal_completed"));
  assert.deepEqual(await w.propose(), refused("withdrawal_completed"));
});

test("what was paid more is a cost of the operator, or owed by the merchant", async () => {
  for (const [excess, account] of [
    ["costs", "costs:bep20"],
    ["merchant", `receivable:${merchantId}`],
  ] as const) {
    const w = await open({ amount: 12n * USDT });
    assert.equal((await w.propose({ excess })).ok, true);
    const changes = await changesOf(async () => assert.equal((await w.approve()).ok, true));
    assert.equal(changes[account], -2n * USDT);
    assert.equal(changes["custody:bep20"], 12n * USDT);
    assert.equal((await w.row(w.id)).amount, 12n * USDT);
  }
});

test("refuses the same person, the same key under another name, a wrong key, and a proposal that the database changed", async () => {
  const w = await open();
  assert.deepEqual(await w.propose({}, person("ada", BOB)), refused("approver_key_wrong"));
  assert.equal((await w.propose()).ok, true);
  assert.deepEqual(await w.approve(ada), refused("approval_by_proposer"));
  assert.deepEqual(await w.approve(person("ada2", ADA)), refused("approval_by_proposer"));
  assert.deepEqual(await w.approve(person("bob", ADA)), refused("approver_key_wrong"));
  assert.deepEqual(await w.approve(person("eve", BOB)), refused("approver_unknown"));
  await t.db.execute(
    sql`update withdrawal_settlements set excess = 'merchant' where withdrawal_id = ${w.id}`,
  );
  assert.deepEqual(await w.approve(), refused("settlement_changed"));
  // Another name does not help: that person has not signed it.
  await t.db.execute(
    sql`update withdrawal_settlements set excess = 'costs', proposed_by = 'bob' where withdrawal_id = ${w.id}`,
  );
  assert.deepEqual(await w.approve(ada), refused("settlement_changed"));
  assert.equal((await w.row(w.id)).status, "processing");
});

test("refuses what the chain does not prove, when it is proposed and again when it is approved", async () => {
  const w = await open();
  assert.deepEqual(await w.propose({ asserted: 8n * USDT }), refused("settlement_amount_wrong"));
  assert.deepEqual(await w.propose({ txHash: `0x${"9".repeat(64)}` }), refused("transaction_not_final"));
  const exact = w.known(payment());
  assert.deepEqual(await w.propose({ txHash: exact }), refused("transaction_pays_exactly"));
  assert.equal((await w.propose()).ok, true);
  for (const [now, reason] of [
    [payment({}, 8n * USDT), "settlement_amount_wrong"],
    [payment(), "transaction_pays_exactly"],
    [payment({ failed: true, payments: [] }), "transaction_not_final"],
    [waiting(), "transaction_not_final"],
  ] as const) {
    w.node.known.set(w.hash, now);
    assert.deepEqual(await w.approve(), refused(reason));
  }
  w.node.failing = true;
  w.second.failing = true;
  assert.deepEqual(await w.approve(), refused("node_unavailable"));
});

test("an amount that a contract paid is asserted by both persons, and is at least what is visible", async () => {
  const w = await open({ payments: [], inconclusiveToken: "usdt" });
  assert.equal((await w.row(w.id)).finding, "inconclusive");
  assert.deepEqual(await w.propose(), refused("settlement_amount_missing"));
  const changes = await changesOf(async () => {
    assert.equal((await w.propose({ asserted: 10n * USDT })).ok, true);
    assert.equal((await w.approve()).ok, true);
  });
  assert.equal(changes["custody:bep20"], 10n * USDT);
  assert.equal(changes[`merchant:${merchantId}`], undefined);
});

test("refuses while another transaction may pay, after one was submitted, and when the worker completed it meanwhile", async () => {
  const w = await open();
  assert.equal((await w.propose()).ok, true);
  await t.db.execute(
    sql`update withdrawals set transactions = transactions || ${JSON.stringify([
      { hash: w.known(waiting()), namedAt: new Date().toISOString(), spends: [], block: null, seen: true },
    ])}::jsonb where id = ${w.id}`,
  );
  assert.deepEqual(await w.approve(), refused("other_transaction_may_pay"));
  const raced = await open();
  assert.equal((await raced.propose()).ok, true);
  const results = await Promise.all([raced.approve(), raced.approve(), raced.follow()]);
  assert.deepEqual([results[0].ok, results[1].ok].sort(), [false, true]);
  assert.deepEqual((await checkLedger(t.db)).problems, []);
});

test("refuses while another node reports the transaction otherwise or does not answer, when it is proposed and when it is approved", async () => {
  const w = await open();
  for (const attempt of [w.propose, w.approve]) {
    for (const [said, reason] of [
      [payment(), "transaction_pays_exactly"],
      [payment({}, 8n * USDT), "settlement_amount_wrong"],
      [waiting(), "transaction_not_final"],
    ] as const) {
      w.second.known.set(w.hash, said);
      assert.deepEqual(await attempt(), refused(reason));
    }
    w.second.failing = true;
    assert.deepEqual(await attempt(), refused("nodes_incomplete"));
    w.second.failing = false;
    w.second.known.set(w.hash, payment({}, 9n * USDT));
    assert.equal((await attempt()).ok, true);
  }
});

test("refuses while any node knows a transaction that counts as mistyped, or does not answer about it", async () => {
  const w = await open();
  const other = { hash: aHash(), namedAt: new Date().toISOString(), spends: [], block: null, seen: false };
  await t.db.execute(
    sql`update withdrawals set transactions = ${JSON.stringify([other])}::jsonb || transactions where id = ${w.id}`,
  );
  for (const attempt of [w.propose, w.approve]) {
    w.second.known.set(other.hash, waiting());
    assert.deepEqual(await attempt(), refused("other_transaction_may_pay"));
    w.second.known.clear();
    w.second.failing = true;
    assert.deepEqual(await attempt(), refused("nodes_incomplete"));
    w.second.failing = false;
    assert.equal((await attempt()).ok, true);
  }
});
