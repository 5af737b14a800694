/** Refunds of payments: never more than was credited for the link, whatever is asked at the same time. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { checkWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { leftToRefund, readReason, refundRefusal } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { completeWithdrawal } from "#lib/domain/withdrawals/end/end-withdrawal.ts";
import { listRefundables, listRefunds } from "#lib/domain/withdrawals/queries.ts";
import { submitPayment } from "#lib/domain/withdrawals/send/submit-payment.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRequest } from "#lib/domain/withdrawals/types.ts";
import { composeWithdrawalRecord } from "#lib/domain/withdrawals/withdrawal-record.ts";
import { SIGNER } from "#tests/support/acts.ts";
import { checkEventData } from "#tests/support/check-event-data.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { operatorSteps, refused } from "#tests/support/withdrawal-steps.ts";
import { aRequest, askFor, fund } from "#tests/support/withdrawals.ts";
import { aWorld, usdt, type World } from "../payment-links/world.ts";

let world: World;

before(async () => {
  world = await aWorld();
  await fund(world.db, world.adapter, world.owner.merchantId, usdt("10000"));
});
after(() => world.close());

const requestOf = (paymentLink: string, amount: string, more: Partial<WithdrawalRequest> = {}) =>
  aRequest({ amount: usdt(amount), paymentLink, ...more });
const refund = (...given: Parameters<typeof requestOf>) =>
  askFor(world.deps, world.owner, requestOf(...given));

async function paidLink(...amounts: string[]) {
  const { refid } = await world.createPicked();
  const ids: number[] = [];
  for (const amount of amounts)
    ids.push(await world.pay(refid, { amount: usdt(amount), status: "credited" }));
  const { rows } = await world.database.pool.query("select id from payment_links where refid = $1", [refid]);
  return { refid, id: Number(rows[0].id), deposits: ids };
}

test("refunds at most what was credited, also in parts, and says whose payment it was", async () => {
  const { refid, id } = await paidLink("60", "50");
  assert.deepEqual(await refund(refid, "110.5"), refused("refund_above_credited"));
  assert.deepEqual(
    await checkWithdrawal(world.deps, world.owner, requestOf(refid, "110.5"), new Date()),
    refused("refund_above_credited"),
  );
  const first = await refund(refid, "10");
  assert.ok(first.ok);
  assert.equal(first.withdrawal.paymentLinkId, id);
  assert.deepEqual(await refund(refid, "100.5"), refused("refund_above_credited"));
  assert.ok((await refund(refid, "100")).ok);
  assert.deepEqual(await refund(refid, "1"), refused("refund_above_credited"));
  assert.deepEqual(await listRefundables(world.db, id, new Date()), [
    { network: "bep20", token: "usdt", credited: usdt("110"), refunded: usdt("110"), claimed: 0n },
  ]);
  assert.deepEqual(
    (await listRefunds(world.db, id, 10)).map(({ amount }) => amount),
    [usdt("100"), usdt("10")],
  );
  const [entry] = await world.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `withdrawal:${first.withdrawal.refid}`));
  assert.equal(entry?.details.payment_link, refid);
});

test("a reason is kept and in the audit log, and no event has it", async () => {
  const { refid } = await paidLink("10");
  const reason = "Sent back by the customer";
  const made = await refund(refid, "10", { reason });
  assert.ok(made.ok);
  assert.equal(made.withdrawal.reason, reason);
  const [entry] = await world.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `withdrawal:${made.withdrawal.refid}`));
  assert.equal(entry?.details.reason, reason);
  const record = composeWithdrawalRecord(made.withdrawal, world.deps.networks, String);
  assert.ok(!JSON.stringify(record).includes(reason));
  const none = await refund((await paidLink("10")).refid, "10");
  assert.ok(none.ok);
  assert.equal(none.withdrawal.reason, null);
});

test("a reason is one line of at most 200 characters", () => {
  assert.equal(readReason("  Wrong size, ₦ 5 "), "Wrong size, ₦ 5");
  assert.equal(readReason(" "), "");
  assert.equal(readReason("😀".repeat(200)), "😀".repeat(200));
  for (const bad of ["a\nb", "a\u2028b", "\u202eevil", "\ud800", "x".repeat(201)])
    assert.equal(readReason(bad), null);
});

test("the same request again finds its refund, alone and at the same time; another one with its key is refused", async () => {
  const { refid, id } = await paidLink("100");
  const again = () => refund(refid, "100", { idempotencyKey: "one" });
  const asked = await Promise.all(Array.from({ length: 20 }, again));
  const refids = new Set([...asked, await again()].map((answer) => answer.ok && answer.withdrawal.refid));
  assert.equal(refids.size, 1);
  assert.equal((await listRefunds(world.db, id, 10)).length, 1);
  const other = await paidLink("100");
  assert.deepEqual(
    await refund(other.refid, "100", { idempotencyKey: "one" }),
    refused("idempotency_key_reused"),
  );
});

test("a repeated refund with another reason is refused, and the same reason finds it", async () => {
  const { refid } = await paidLink("100");
  const again = (reason: string | null) => refund(refid, "100", { idempotencyKey: "why", reason });
  const made = await again("Wrong size");
  assert.ok(made.ok);
  const repeated = await again("Wrong size");
  assert.ok(repeated.ok && repeated.withdrawal.refid === made.withdrawal.refid);
  for (const reason of ["Wrong color", null])
    assert.deepEqual(await again(reason), refused("idempotency_key_reused"));
});

test("a withdrawal that refunds nothing has no reason", async () => {
  const idempotencyKey = "no-refund";
  const ask = () => askFor(world.deps, world.owner, aRequest({ reason: "Rent", idempotencyKey }));
  const made = await ask();
  assert.ok(made.ok);
  assert.equal(made.withdrawal.reason, null);
  const [entry] = await world.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `withdrawal:${made.withdrawal.refid}`));
  assert.equal(entry?.details.reason, undefined);
  assert.ok((await ask()).ok, "the same request again finds it");
});

test("nothing is refunded for another merchant's link, an unpaid one, or in another way than it was paid", async () => {
  const unpaid = await world.createPicked();
  assert.deepEqual(await refund(unpaid.refid, "1"), refused("refund_not_paid_so"));
  await world.pay(unpaid.refid, { amount: usdt("100"), status: "seen" });
  assert.deepEqual(await refund(unpaid.refid, "1"), refused("refund_not_paid_so"), "it is not credited yet");
  const { refid } = await paidLink("100");
  const rival = { merchantId: await aMerchant(world.db, "rival@example.com"), env: "test" } as const;
  assert.deepEqual(await askFor(world.deps, rival, requestOf(refid, "1")), refused("payment_link_not_found"));
  assert.deepEqual(await refund("nothing", "1"), refused("payment_link_not_found"));
  const paid = [{ network: "bep20", token: "usdt", credited: 5n, refunded: 0n, claimed: 0n }] as const;
  assert.equal(refundRefusal(paid, { network: "trc20", token: "usdt", amount: 1n }), "refund_not_paid_so");
});

test("a refund that failed can be made again; one whose payment the chain dropped leaves nothing", async () => {
  const { refid, id, deposits: ids } = await paidLink("100");
  const made = await refund(refid, "100");
  assert.ok(made.ok);
  assert.ok((await operatorSteps(world.deps).fail(made.withdrawal.refid, "wrong address")).ok);
  const log = pino({ level: "silent" });
  while ((await world.db.$count(withdrawals, eq(withdrawals.status, "refund_queued"))) > 0)
    await followAll({ ...world.deps, log });
  assert.ok((await refund(refid, "100")).ok);
  await world.db
    .update(deposits)
    .set({ status: "dropped" })
    .where(eq(deposits.id, Number(ids[0])));
  assert.deepEqual(await refund(refid, "1"), refused("refund_not_paid_so"));
  assert.deepEqual(await listRefundables(world.db, id, new Date()), []);
  assert.equal(leftToRefund({ credited: 1n, refunded: 2n, claimed: 0n }), 0n);
});

test("a refund that is final is reported with its payment, after the withdrawal", async () => {
  const { refid } = await paidLink("30");
  const made = await refund(refid, "30");
  assert.ok(made.ok);
  const { id } = made.withdrawal;
  const hash = `0x${"ab".repeat(32)}`;
  const sign = async () =>
    ({ env: "test", network: "bep20", hash, raw: "0x", kind: "payout", spends: [], moves: [] }) as const;
  const request = { withdrawalIds: [id], actor: SIGNER, spends: ["0x0:1"], isDead: () => false };
  assert.ok(await submitPayment(world.db, request, sign, new Date()));
  assert.ok(await completeWithdrawal(world.deps, id, hash, new Date()));
  const events = await world.db.select().from(webhookEvents).orderBy(webhookEvents.id);
  const [completed, refunded] = events.slice(-2);
  assert.deepEqual([completed?.type, refunded?.type], ["withdrawal_completed", "refund_completed"]);
  const data = checkEventData("refund_completed", refunded?.body ?? "");
  assert.deepEqual([data.payment_link, data.refid, data.status], [refid, made.withdrawal.refid, 3]);
});
