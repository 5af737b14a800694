import assert from "node:assert/strict";
import { test } from "node:test";
import { desc, eq } from "drizzle-orm";
import { listDeposits } from "#lib/domain/deposits/queries.ts";
import { exportDeposits } from "#lib/domain/deposits/recorded-queries.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { paymentLinks, paymentLinkWallets } from "#lib/domain/payment-links/tables.ts";
import { webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { aMerchant, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { START } from "../../payment-links/facts.ts";
import { usdt, worldOfFile } from "../../payment-links/world.ts";

const world = await worldOfFile();
const { db, deps, owner } = world;
const YEAR = { from: new Date("2000-01-01Z"), to: new Date("2100-01-01Z") };

/** Credits a held deposit at the address of a link of the owner. Returns all that names the link or its customer to the merchant. */
async function resolveTo(merchantId: number) {
  const { refid } = await world.createPicked();
  const [wallet] = await db
    .select({ addressId: paymentLinkWallets.addressId })
    .from(paymentLinkWallets)
    .innerJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(eq(paymentLinks.refid, refid));
  // Five for the owner before, and five for whom it is credited to.
  await world.pay(refid, { amount: usdt("5"), status: "credited" });
  const { id } = await anUnmatchedDeposit(db, wallet!);
  const act = { networks: deps.networks, id };
  const done = await db.transaction((tx) => resolveDeposit(actOf(tx, merchantId, { now: START }), act));
  assert.equal(done.ok, true);
  const [event] = await db
    .select()
    .from(webhookEvents)
    .where(eq(webhookEvents.merchantId, merchantId))
    .orderBy(desc(webhookEvents.id))
    .limit(1);
  const { customer, refid: named, total_received: total } = JSON.parse(event!.body).data;
  const page = { before: null, limit: 1 };
  const [listed] = await listDeposits(db, { merchantId, env: "test" }, ["credited"], page);
  const [exported] = (await Array.fromAsync(exportDeposits(db, { merchantId, env: "test" }, YEAR))).flat();
  assert.deepEqual([listed?.deposit.id, exported?.deposit.id], [id, id]);
  return {
    refid,
    shown: [total, customer, named, listed?.customerEmail, exported?.customerEmail, exported?.refid],
  };
}

test("a deposit that is credited to another merchant names neither the link nor the customer of the address", async () => {
  const other = await aMerchant(db, "other@example.com");
  assert.deepEqual((await resolveTo(other)).shown, ["5", null, null, null, null, null]);
  const { refid, shown } = await resolveTo(owner.merchantId);
  assert.deepEqual(shown, ["10", "ada@example.com", refid, "ada@example.com", "ada@example.com", refid]);
});

test("nor does the list of unmatched deposits, when a reorganization takes it out of its block", async () => {
  const other = await aMerchant(db, "another@example.com");
  await resolveTo(other);
  await db.update(deposits).set({ status: "seen" }).where(eq(deposits.merchantId, other));
  const page = { before: null, limit: 9 };
  const show = async (merchantId: number | null) =>
    (await listUnmatchedDeposits(db, "test", merchantId, page)).map((one) => [
      one.customerEmail,
      one.payerEmail,
      one.refid === null,
    ]);
  assert.deepEqual(await show(other), [[null, null, true]]);
  assert.deepEqual(await show(null), [["ada@example.com", "ada@example.com", false]]);
});
