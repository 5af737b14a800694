/** Refunds and the state of their payment link: refunded money does not count. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { composeReceipt } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { resolveRefundAmount } from "#lib/domain/withdrawals/create/refund-amount.ts";
import { releaseWithdrawal } from "#lib/domain/withdrawals/end/end-withdrawal.ts";
import type { WithdrawalRequest } from "#lib/domain/withdrawals/types.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { performAs } from "#tests/support/acts.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { askFor, fund } from "#tests/support/withdrawals.ts";
import { minutes, START } from "../payment-links/facts.ts";
import { aWorld, BEP20, ENDED, usdt, type World } from "../payment-links/world.ts";

let world: World;
before(async () => {
  world = await aWorld({ latePolicy: "accept" });
  await fund(world.db, world.adapter, world.owner.merchantId, usdt("10000"));
});
after(() => world.close());

/** Refunds of a link that are recorded after its payments: the rows of tests have the time of the database. */
const now = () => new Date(Date.now() + 60_000);
const terms = (paymentLink: string, amount: string) =>
  ({ token: "usdt", network: "bep20", amount: usdt(amount), paymentLink }) as const;
async function refund(refid: string, amount: string, more: Partial<WithdrawalRequest> = {}) {
  const made = await askFor(world.deps, { ...world.owner, now: now() }, { ...terms(refid, amount), ...more });
  assert.ok(made.ok);
  return made.withdrawal;
}
async function isDue(refid: string, at: Date): Promise<boolean> {
  const [row] = await world.db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
  return row?.nextCheckAt !== null && row!.nextCheckAt <= at;
}

test("a link of 100 of which 60 were refunded is not completed by 40", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const { version } = await world.view(refid, START);
  await refund(refid, "60");
  const refunded = await world.view(refid, START);
  assert.ok(refunded.version > version, "the page is notified");
  assert.deepEqual([refunded.remaining, refunded.received], [[{ ...BEP20, amount: usdt("100") }], []]);
  assert.equal(await isDue(refid, START), true);
  await sweepPaymentLinks(world.deps, START);
  assert.equal((await world.view(refid, START)).state, "awaiting");
  await world.pay(refid, { amount: usdt("40"), status: "credited" });
  const partial = await world.view(refid, START);
  assert.deepEqual([partial.state, partial.remaining[0]?.amount], ["partial", usdt("60")]);
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const paid = await world.view(refid, START);
  assert.equal(paid.state, "completed");
  const event = (await world.events()).findLast(({ data }) => data.refid === refid);
  assert.deepEqual(event?.data.received, [{ ...BEP20, amount: "100" }]);
  assert.deepEqual(composeReceipt(paid)?.refunded, [{ ...BEP20, amount: "60" }]);
});

test("a refund that is given up counts again at once, and completes the link that it was taken from", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const { refid: withdrawal } = await refund(refid, "60");
  await world.pay(refid, { amount: usdt("40"), status: "credited" });
  await sweepPaymentLinks(world.deps, START);
  assert.equal((await world.view(refid, START)).state, "partial");
  assert.ok((await operatorSteps(world.deps).fail(withdrawal, "given up", START)).ok);
  await sweepPaymentLinks(world.deps, START);
  assert.equal((await world.view(refid, START)).state, "completed");
});

test("what replaces a failed refund is a refund of the payment too", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const first = await refund(refid, "60");
  assert.ok((await operatorSteps(world.deps).fail(first.refid, "given up", now())).ok);
  assert.ok(await releaseWithdrawal(world.deps, first.id, START));
  const second = await refund(refid, "60", { paymentLink: null, refundOf: first.refid });
  assert.equal(second.paymentLinkId, first.paymentLinkId);
  await world.pay(refid, { amount: usdt("40"), status: "credited" });
  assert.equal((await world.view(refid, START)).state, "partial");
});

test("late payments that were refunded complete nothing", async () => {
  const { refid } = await world.createPicked();
  await world.pass(minutes(START, 121));
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  await sweepPaymentLinks(world.deps, minutes(START, 122));
  assert.equal((await world.view(refid, ENDED)).state, "failed");
  await refund(refid, "60");
  await world.pay(refid, { amount: usdt("40"), status: "credited", at: ENDED });
  assert.equal((await world.view(refid, ENDED)).state, "failed");
  await world.pay(refid, { amount: usdt("60"), status: "credited", at: ENDED });
  assert.equal((await world.view(refid, ENDED)).state, "completed");
});

test("what a refund claim promises does not count until the claim is revoked", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("60"), status: "credited" });
  const by = { ...world.owner, now: START };
  const made = await performAs(world.db, by, createClaim, {
    ...terms(refid, "60"),
    note: null,
    mail: false,
    idempotencyKey: null,
    networks: world.deps.networks,
    secrets: openSecrets("a secret key for tests, at least 32 long"),
    settings: world.deps.settings,
  });
  assert.ok(made.ok);
  await world.pay(refid, { amount: usdt("40"), status: "credited" });
  assert.equal((await world.view(refid, START)).state, "partial");
  const { id } = made.claim;
  await performAs(world.db, by, revokeClaim, { id, paymentLink: null });
  await sweepPaymentLinks(world.deps, START);
  assert.equal((await world.view(refid, START)).state, "completed");
});

test("the excess is what was paid twice, or late and more, until it is refunded", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("100"), status: "credited" });
  await world.pay(refid, { amount: usdt("100"), status: "credited" });
  const twice = await world.view(refid, START);
  assert.deepEqual([twice.state, twice.excess], ["completed", [{ ...BEP20, amount: usdt("100") }]]);
  const [event] = (await world.events()).filter(
    ({ type, data }) => type.endsWith("extra") && data.refid === refid,
  );
  assert.deepEqual(event?.data.excess, [{ ...BEP20, amount: "100" }]);
  const owner = { merchantId: world.owner.merchantId, env: "test" as const };
  const resolve = () =>
    resolveRefundAmount(world.db, { amount: "excess", paymentLink: refid, owner, ...BEP20 }, now());
  assert.deepEqual(await resolve(), { ok: true, amount: usdt("100") });
  await refund(refid, "100");
  assert.deepEqual((await world.view(refid, START)).excess, []);
  assert.deepEqual(await resolve(), { ok: false, reason: "refund_no_excess" });
});
