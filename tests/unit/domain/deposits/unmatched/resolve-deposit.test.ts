import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { recordScan } from "#lib/domain/deposits/record/record-scan.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { countUnmatched, type UnmatchedFilter } from "#lib/domain/deposits/unmatched/many-queries.ts";
import { countUnmatchedDeposits, listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { resolveDepositBatch, resolveDeposits } from "#lib/domain/deposits/unmatched/resolve-many.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { watchLockWaits } from "#tests/support/lock-waits.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import {
  aForeignDeposit,
  aMerchant,
  anAddress,
  anUnmatchedDeposit,
  unmatchedDeposits,
} from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

const log = pino({ level: "silent" });
const NOW = new Date("2026-03-01T12:00:00.250Z");
const UNIT = 10n ** 18n;
const networks = bep20("http://127.0.0.1:9");
const adapter = networks.find("test", "bep20")!;

const t = await databaseOfFile();
const owner = await aMerchant(t.db, "owner@example.com");
const other = await aMerchant(t.db, "other@example.com");
const addressId = (await anAddress(t.db, adapter, owner)).id;

const resolve = (id: number, merchantId = other) =>
  t.db.transaction((tx) => resolveDeposit(actOf(tx, merchantId, { now: NOW }), { networks, id }));
const balanceOf = async (code: string) =>
  (await listLedgerAccounts(t.db, "test")).find((account) => account.code === code)?.balance ?? 0n;
const booksAgree = async () => assert.deepEqual((await checkLedger(t.db)).problems, []);

test("of fifty concurrent resolutions of a deposit one succeeds, moves the money once and is in the audit log", async () => {
  const { id, txHash } = await anUnmatchedDeposit(t.db, { addressId });
  const before = await balanceOf(`merchant:${other}`);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => resolve(id)));
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1);
  assert.deepEqual(
    outcomes.find(({ ok }) => !ok),
    { ok: false, reason: "already_resolved" },
  );
  assert.equal(await balanceOf(`merchant:${other}`), before + 5n * UNIT);
  assert.equal(await balanceOf("unmatched:bep20"), 0n);
  const rows = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `deposit:${id}`));
  assert.deepEqual(
    rows.map(({ at, actor, action, merchantId }) => [at, actor, action, merchantId]),
    [[NOW, "operator:test", "deposit.resolve", other]],
  );
  assert.deepEqual(rows[0]?.details, {
    ...{ to: "other@example.com", env: "test", network: "bep20", token: "usdt", amount: "5" },
    ...{ reason: "no_purpose", tx_hash: txHash },
  });
  const [deposit] = await t.db.select().from(deposits).where(eq(deposits.id, id));
  assert.deepEqual(
    [deposit!.status, deposit!.merchantId, deposit!.unmatchedReason],
    ["credited", other, "no_purpose"],
  );
  const events = await t.db.select().from(webhookEvents).where(eq(webhookEvents.merchantId, other));
  assert.deepEqual(
    events.map(({ type }) => type),
    ["deposit_credited"],
  );
  await booksAgree();
});

test("refuses a deposit that is not held, and writes nothing", async () => {
  const seen = await anUnmatchedDeposit(t.db, { addressId, status: "seen" });
  const dropped = await anUnmatchedDeposit(t.db, { addressId, status: "dropped" });
  const held = await anUnmatchedDeposit(t.db, { addressId });
  const own = await anUnmatchedDeposit(t.db, { addressId, status: "seen" });
  await t.db.update(deposits).set({ unmatchedReason: null }).where(eq(deposits.id, own.id));
  const removed = await aMerchant(t.db, "removed@example.com");
  await t.db.update(merchants).set({ status: "removed" }).where(eq(merchants.id, removed));
  const audited = await t.db.$count(auditLog);
  const refused = async (id: number, reason: string, merchantId?: number) =>
    assert.deepEqual(await resolve(id, merchantId), { ok: false, reason });
  await refused(seen.id, "deposit_not_confirmed");
  await refused(dropped.id, "deposit_dropped");
  await refused(own.id, "deposit_not_found");
  await refused(999_999, "deposit_not_found");
  await refused(held.id, "merchant_not_found", removed);
  assert.equal(await t.db.$count(auditLog), audited);
  await booksAgree();
});

test("a merchant with a debt repays it from a resolved deposit", async () => {
  const debtor = await aMerchant(t.db, "debtor@example.com");
  const spent = { env: "test", token: "usdt", network: "bep20", amount: 2n * UNIT } as const;
  await t.db.transaction(async (tx) => {
    await creditMerchants(tx, [{ ...spent, merchantId: debtor, cause: "operator:test:debt" }], NOW);
    const move = { env: "test", token: "usdt", amount: 2n * UNIT, cause: "test:spent" } as const;
    await postTransfer(tx, { ...move, from: `merchant:${debtor}`, to: "fees" }, NOW);
    await reverseTransfer(tx, "operator:test:debt", "operator:test:debt:reversal", NOW);
  });
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  assert.equal((await resolve(id, debtor)).ok, true);
  assert.equal(await balanceOf(`merchant:${debtor}`), 3n * UNIT);
  assert.equal(await balanceOf(`receivable:${debtor}`), 0n);
  await booksAgree();
});

test("an unlisted token leaves the list once, and no account changes", async () => {
  const { id, txHash } = await aForeignDeposit(t.db, { addressId });
  const accounts = await listLedgerAccounts(t.db, "test");
  assert.deepEqual(await resolve(id).then((r) => r.ok && r.credited), null);
  assert.deepEqual(await resolve(id), { ok: false, reason: "already_resolved" });
  assert.deepEqual(await listLedgerAccounts(t.db, "test"), accounts);
  const [row] = await t.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `deposit:${id}`));
  assert.deepEqual(row!.details, {
    to: "other@example.com",
    env: "test",
    network: "bep20",
    contract: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    raw_amount: (2n ** 255n).toString(),
    tx_hash: txHash,
    reason: "unknown_token",
  });
});

test("both kinds are one list with one sequence of ids, and the count matches", async () => {
  const mine = await aMerchant(t.db, "lister@example.com");
  const address = await anAddress(t.db, adapter, mine);
  const ids = [];
  for (let i = 0; i < 3; i++) {
    ids.push((await anUnmatchedDeposit(t.db, { addressId: address.id })).id);
    ids.push((await aForeignDeposit(t.db, { addressId: address.id })).id);
  }
  assert.equal(new Set(ids).size, 6);
  const newestFirst = ids.toReversed();
  const list = async (before: number | null, limit: number) =>
    (await listUnmatchedDeposits(t.db, "test", mine, { before, limit })).map(({ id }) => id);
  assert.deepEqual(await list(null, 4), newestFirst.slice(0, 4));
  assert.deepEqual(await list(newestFirst[3]!, 4), newestFirst.slice(4));
  assert.equal(await countUnmatchedDeposits(t.db, "test", mine), 6);
  assert.deepEqual(await listUnmatchedDeposits(t.db, "live", mine, { before: null, limit: 9 }), []);
  const all = await listUnmatchedDeposits(t.db, "test", null, { before: null, limit: 500 });
  assert.ok(all.length > 6 && new Set(all.map(({ merchantEmail }) => merchantEmail)).size > 1);
});

test("a resolution concurrent with a reorg leaves a correct ledger, in either order", async () => {
  const paymentLinks = { db: t.db, networks, rates: null as never, settings: {} as never };
  const scope = { env: "test", network: "bep20" } as const;
  const watch = { ...scope, adapter, database: t.database, paymentLinks, log, ...openManualClock(NOW) };
  const from = { height: 100, hash: "old" };
  const fork = { height: 99, hash: "fork" };
  const scan = { from, fork, to: fork, blocks: [], nodeHeight: 99, observations: [], mempool: null };
  const drop = async () => {
    await t.db.delete(watchCursors);
    await t.db.insert(watchCursors).values({ ...scope, ...from, nodeHeight: 100, updatedAt: NOW });
    return recordScan(watch, scan, new Set(), NOW);
  };
  const isDropped = async (id: number) => {
    const [row] = await t.db.select().from(deposits).where(eq(deposits.id, id));
    assert.equal(row!.status, "dropped");
    await booksAgree();
  };

  // The watcher has read the deposit as held when it waits for the lock of the resolution.
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const [resolved, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const resolving = t.db.transaction(async (tx) => {
    assert.equal((await resolveDeposit(actOf(tx, other, { now: NOW }), { networks, id })).ok, true);
    resolved.resolve();
    await commit.promise;
  });
  await resolved.promise;
  const lockWait = await watchLockWaits(t.database.pool);
  const dropping = drop();
  await lockWait();
  commit.resolve();
  await Promise.all([resolving, dropping]);
  await isDropped(id);
  assert.equal(await balanceOf(`merchant:${other}`), 0n);

  for (let i = 0; i < 10; i++) {
    const raced = await anUnmatchedDeposit(t.db, { addressId });
    await Promise.all(i % 2 === 0 ? [resolve(raced.id), drop()] : [drop(), resolve(raced.id)]);
    await isDropped(raced.id);
  }
});

test("an audit log entry cannot be changed or removed", async () => {
  for (const statement of [
    "update audit_log set actor = 'nobody'",
    "delete from audit_log",
    "truncate audit_log",
  ]) {
    await assert.rejects(t.db.execute(statement), (error: Error) => /append-only/.test(String(error.cause)));
  }
});

test("the ledger check finds held money that differs from the unmatched account", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  await booksAgree();
  const [row] = await t.db.select().from(deposits).where(eq(deposits.id, id));
  for (const wrong of [
    { status: "seen" },
    { status: "credited" },
    { unmatchedReason: null, status: "credited" },
    { amount: 1n },
  ] as const) {
    await t.db.update(deposits).set(wrong).where(eq(deposits.id, id));
    assert.equal((await checkLedger(t.db)).ok, false, JSON.stringify(Object.keys(wrong)));
    const { status, unmatchedReason, amount } = row!;
    await t.db.update(deposits).set({ status, unmatchedReason, amount }).where(eq(deposits.id, id));
    await booksAgree();
  }
});

test("many are resolved in batches, by two operators and after a kill, each once; the filter spares the rest", async () => {
  const mine = await aMerchant(t.db, "flooded@example.com");
  const target = await aMerchant(t.db, "target@example.com");
  const address = await anAddress(t.db, adapter, mine);
  await unmatchedDeposits(t.db, { addressId: address.id }, Array(450).fill(1n));
  await anUnmatchedDeposit(t.db, { addressId: address.id }, UNIT);
  await anUnmatchedDeposit(t.db, { addressId: address.id, status: "seen" }, 1n);
  const foreign = await aForeignDeposit(t.db, { addressId: address.id });
  const all = { network: null, token: null, reason: null, createdBefore: null, upTo: null, below: null };
  const small = { ...all, env: "test", ownerId: mine, token: "usdt", below: UNIT } as const;
  const run = (filter: Omit<UnmatchedFilter, "env"> = small, report: () => void = () => {}) =>
    resolveDeposits(
      (batch) =>
        t.db.transaction(async (tx) => {
          const act = actOf(tx, target, { now: NOW });
          const done = await resolveDepositBatch(act, { ...batch, networks, filter });
          assert.ok(done.ok);
          return done;
        }),
      report,
    );
  const counted = await countUnmatched(t.db, small);
  assert.deepEqual(counted.held, [{ token: "usdt", deposits: 450, amount: 450n }]);
  assert.equal(counted.unlisted, 0);

  const killed = run(small, () => {
    throw new Error("killed");
  });
  await assert.rejects(killed, /killed/);
  assert.equal(await balanceOf(`merchant:${target}`), 200n);
  const resolved = await Promise.all([run(), run()]);
  assert.equal(resolved[0] + resolved[1], 250);
  assert.equal(await run(), 0);
  assert.equal(await balanceOf(`merchant:${target}`), 450n);
  assert.equal(await t.db.$count(webhookEvents, eq(webhookEvents.merchantId, target)), 450);
  const audited = await t.db.select().from(auditLog).where(eq(auditLog.action, "deposit.resolve-many"));
  const ids = audited.flatMap(({ details }) => String(details.ids).split(" "));
  assert.deepEqual([ids.length, new Set(ids).size], [450, 450]);
  assert.ok(audited.every(({ merchantId }) => merchantId === target));
  const left = await listUnmatchedDeposits(t.db, "test", mine, { before: null, limit: 500 });
  assert.deepEqual(left.map(({ amount }) => amount).sort(), [1n, UNIT, 2n ** 255n]);
  await booksAgree();

  const unknown = { ...all, env: "test", ownerId: mine, reason: "unknown_token" } as const;
  assert.equal((await countUnmatched(t.db, unknown)).lastId, foreign.id);
  assert.equal(await run(unknown), 1);
  assert.equal(await countUnmatchedDeposits(t.db, "test", mine), 2);
});
