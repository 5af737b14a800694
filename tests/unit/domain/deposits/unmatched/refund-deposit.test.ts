import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { auditLog } from "#lib/domain/audit/tables.ts";
import type { Actor } from "#lib/domain/authority/types.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { previewRefund, refundDeposit } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { actOf, personOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aForeignDeposit, aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";

const NOW = new Date("2026-03-01T12:00:00.250Z");
const UNIT = 10n ** 18n;
const networks = bep20("http://127.0.0.1:9");

const t = await databaseOfFile();
const owner = await aMerchant(t.db, "owner@example.com");
const other = await aMerchant(t.db, "other@example.com");
const addressId = (await anAddress(t.db, networks.find("test", "bep20")!, owner)).id;

interface Asked {
  readonly to?: string;
  readonly amount?: { readonly token: "usdt" | "bnb"; readonly units: bigint } | null;
  readonly reason?: string | null;
  readonly merchantId?: number;
  readonly env?: "test" | "live";
  readonly actor?: Actor;
}

const refund = (
  id: number,
  { to = DESTINATION, amount = null, reason = null, merchantId = owner, ...act }: Asked = {},
) =>
  t.db.transaction((tx) =>
    refundDeposit(actOf(tx, merchantId, { now: NOW, ...act }), { networks, id, to, amount, reason }),
  );
const balanceOf = async (code: string) =>
  (await listLedgerAccounts(t.db, "test")).find((account) => account.code === code)?.balance ?? 0n;
const statusOf = async (id: number) =>
  (await t.db.select({ status: deposits.status }).from(deposits).where(eq(deposits.id, id)))[0]?.status;

test("a refund credits the deposit and sends all that its fee leaves, once however often it is asked for", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const before = await balanceOf(`merchant:${owner}`);
  const made = await Promise.all(Array.from({ length: 10 }, () => refund(id)));
  const refids = new Set(made.map((one) => (one.ok ? one.withdrawal.refid : JSON.stringify(one))));
  assert.equal(refids.size, 1);
  const [first] = made;
  assert.ok(first?.ok);
  const { amount, fee, toAddress } = first.withdrawal;
  assert.equal(toAddress, DESTINATION.toLowerCase());
  assert.ok(amount > 0n && fee > 0n && amount + fee <= 5n * UNIT && amount + fee > 5n * UNIT - 2n);
  assert.equal(await balanceOf(`merchant:${owner}`), before + 5n * UNIT - amount - fee);
  assert.equal(await balanceOf(`reserved:${first.withdrawal.id}`), amount + fee);
  assert.equal(await statusOf(id), "credited");
  const elsewhere = await refund(id, { to: `0x${"22".repeat(20)}` });
  assert.deepEqual(elsewhere, { ok: false, reason: "already_resolved" });
  assert.deepEqual((await checkLedger(t.db)).problems, []);
});

test("a refund that is asked for again with another reason or amount is refused", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const amount = { token: "usdt", units: 2n * UNIT } as const;
  const made = await refund(id, { amount, reason: "Sent twice" });
  assert.ok(made.ok);
  const again = await refund(id, { amount, reason: "Sent twice" });
  assert.ok(again.ok && again.withdrawal.refid === made.withdrawal.refid);
  for (const other of [
    { amount, reason: "Wrong size" },
    { amount },
    { amount: { ...amount, units: UNIT }, reason: "Sent twice" },
  ])
    assert.deepEqual(await refund(id, other), { ok: false, reason: "already_resolved" });
});

test("the refund of a deposit has the same reference after a restore, which gives the deposit another number", async () => {
  const { id, txHash } = await anUnmatchedDeposit(t.db, { addressId });
  const refidOf = async (deposit: number) => {
    const restored = new Error("restored");
    let refid = "";
    const day = inTransaction(t.db, async (tx) => {
      const asked = { networks, id: deposit, to: DESTINATION, amount: null };
      const made = await refundDeposit(actOf(tx, owner, { now: NOW }), asked);
      assert.ok(made.ok);
      refid = made.withdrawal.refid;
      throw restored;
    });
    await assert.rejects(day, restored);
    return refid;
  };
  const before = await refidOf(id);
  const { id: again } = await anUnmatchedDeposit(t.db, { addressId });
  await t.db.update(deposits).set({ txHash: "forgotten" }).where(eq(deposits.id, id));
  await t.db.update(deposits).set({ txHash }).where(eq(deposits.id, again));
  assert.equal(await refidOf(again), before);
  const { id: another } = await anUnmatchedDeposit(t.db, { addressId });
  assert.notEqual(await refidOf(another), before);
});

test("a refused withdrawal leaves the deposit unmatched, and nothing written", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const { id: unlisted } = await aForeignDeposit(t.db, { addressId });
  const count = await t.db.$count(withdrawals);
  const before = await balanceOf(`merchant:${owner}`);
  const removed = await aMerchant(t.db, "removed@example.com");
  await t.db.update(merchants).set({ status: "removed" }).where(eq(merchants.id, removed));
  const audited = await t.db.$count(auditLog);
  for (const [of, asked, reason] of [
    [id, { to: "not an address" }, "destination_malformed"],
    [id, { amount: { token: "usdt", units: 5n * UNIT + 1n } }, "refund_above_credited"],
    [id, { amount: { token: "usdt", units: 0n } }, "send_amount_not_positive"],
    [id, { amount: { token: "bnb", units: UNIT } }, "refund_not_paid_so"],
    [id, { merchantId: removed }, "merchant_not_found"],
    [unlisted, {}, "deposit_not_in_books"],
    [999_999, {}, "deposit_not_found"],
  ] as const)
    assert.deepEqual(await refund(of, asked), { ok: false, reason });
  assert.equal(await statusOf(id), "held");
  assert.equal(await t.db.$count(withdrawals), count);
  assert.equal(await t.db.$count(auditLog), audited);
  assert.equal(await balanceOf(`merchant:${owner}`), before);
});

test("a merchant's people resolve what is theirs alone", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const { id: unlisted } = await aForeignDeposit(t.db, { addressId });
  const actor = personOf(1, "owner", NOW);
  const refused = { ok: false, reason: "deposit_not_found" };
  for (const foreign of [{ merchantId: other }, { env: "live" as const }])
    assert.deepEqual(await refund(id, { actor, ...foreign }), refused);
  assert.deepEqual(await refund(unlisted, { actor }), refused);
  await t.db.update(deposits).set({ unmatchedReason: "before_allocation" }).where(eq(deposits.id, id));
  assert.deepEqual(await refund(id, { actor }), refused);
  await t.db.update(deposits).set({ unmatchedReason: "other_token" }).where(eq(deposits.id, id));
  const kept = await t.db.transaction((tx) =>
    resolveDeposit(actOf(tx, owner, { now: NOW, actor }), { networks, id }),
  );
  assert.ok(kept.ok);
  assert.deepEqual(await refund(id, { actor }), { ok: false, reason: "already_resolved" });
});

test("a preview shows the withdrawal and writes nothing", async () => {
  const { id } = await anUnmatchedDeposit(t.db, { addressId });
  const { tx: _, ...act } = actOf(t.db as never, owner, { now: NOW });
  const before = [await balanceOf(`merchant:${owner}`), await t.db.$count(auditLog)];
  const seen = await previewRefund(t.db, act, { networks, id, to: DESTINATION, amount: null });
  assert.ok(seen.ok);
  const { amount, fee } = seen.withdrawal;
  assert.equal(seen.left, (before[0] as bigint) + 5n * UNIT - amount - fee);
  assert.equal(await statusOf(id), "held");
  assert.deepEqual([await balanceOf(`merchant:${owner}`), await t.db.$count(auditLog)], before);
});
