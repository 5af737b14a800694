import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { listUnreportedPayments, updateReported } from "#lib/domain/payment-links/reported-store.ts";
import { sweepPaymentLinks } from "#lib/domain/payment-links/settle/sweep-payment-links.ts";
import { addEndpoint, removeEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { webhookDeliveries, webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { performAs } from "#tests/support/acts.ts";
import { DEADLINE, minutes, START } from "../facts.ts";
import { aWorld, usdt, type World } from "../world.ts";

const sealer = { seal: (text: string) => Buffer.from(text) };
let world: World;
let endpointId: number;

beforeEach(async () => {
  world = await aWorld();
  endpointId = await aShop();
});
afterEach(() => world.close());

/** An endpoint of a shop. Returns its number. */
async function aShop(): Promise<number> {
  const by = { merchantId: world.owner.merchantId };
  const given = { sealer, url: "https://shop.example.com/hook", eventTypes: null, format: "btcpay" } as const;
  const added = await performAs(world.db, by, addEndpoint, given);
  assert.ok(added.ok);
  return added.endpoint.id;
}

/** The events that the shop's endpoint gets, in the order in which it gets them. */
async function heardOf(refid: string) {
  const rows = await world.db
    .select({ body: webhookEvents.body, orderedBy: webhookDeliveries.orderedBy })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(asc(webhookDeliveries.id));
  return rows.filter(({ orderedBy }) => orderedBy === refid).map(({ body }) => JSON.parse(body));
}
const typesOf = async (refid: string) =>
  (await heardOf(refid)).map(({ type }) => type.replace("Invoice", "")).join(" ");
const sweep = (now: Date) => sweepPaymentLinks(world.deps, now);

describe("a shop hears of a link", () => {
  test("that is paid: created, payment seen, processing, payment final, settled", async () => {
    const link = await world.createPicked();
    const id = await world.pay(link.refid, { amount: usdt("100"), at: minutes(START, 5) });
    await world.change([id], "credited", minutes(START, 6));
    assert.equal(await typesOf(link.refid), "Created ReceivedPayment Processing PaymentSettled Settled");
    const [created, received, , final, settled] = await heardOf(link.refid);
    const { code } = world.owner.merchant;
    const common = { storeId: `${code.replaceAll("-", "")}test`, invoiceId: link.refid, refid: link.refid };
    const metadata = { cart: 7, n: 1.5 };
    assert.deepEqual(created, {
      ...common,
      type: "InvoiceCreated",
      timestamp: START.getTime() / 1_000,
      metadata,
    });
    const payment = {
      ...{ id: `0x${"1".padStart(64, "0")}-3`, value: "100", fee: "0", status: "Processing" },
      ...{ receivedDate: minutes(START, 5).getTime() / 1_000, destination: link.wallets[0]?.address },
    };
    const of = { ...common, afterExpiration: false, paymentMethodId: "USDT-BEP20", metadata };
    const seen = minutes(START, 5).getTime() / 1_000;
    assert.deepEqual(received, { ...of, type: "InvoiceReceivedPayment", timestamp: seen, payment });
    assert.deepEqual(final.payment, { ...payment, status: "Settled" });
    assert.deepEqual([settled.manuallyMarked, settled.overPaid], [false, false]);
  });

  test("that is paid in part: each payment once, and expired with the part", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("40") });
    await world.change([id], "seen", minutes(START, 1));
    await world.change([id], "credited", minutes(START, 2));
    await world.change([id], "credited", minutes(START, 3));
    await world.pass(minutes(DEADLINE, 1));
    await sweep(minutes(DEADLINE, 1));
    assert.equal(await typesOf(refid), "Created ReceivedPayment PaymentSettled Expired ExpiredPaidPartial");
    assert.equal((await heardOf(refid)).at(-2).partiallyPaid, true);
  });

  test("that nobody pays, and of money that comes afterwards", async () => {
    const { refid } = await world.createPicked();
    await world.pass(minutes(DEADLINE, 1));
    await sweep(minutes(DEADLINE, 1));
    assert.equal((await heardOf(refid)).at(-1).partiallyPaid, false);
    const id = await world.pay(refid, { amount: usdt("100"), at: minutes(DEADLINE, 5) });
    await world.change([id], "credited", minutes(DEADLINE, 6));
    const paid = "Created Expired ReceivedPayment PaymentSettled PaidAfterExpiration";
    assert.equal(await typesOf(refid), paid);
    const late = (await heardOf(refid)).slice(2, 4);
    assert.deepEqual(
      late.map(({ afterExpiration }) => afterExpiration),
      [true, true],
    );
  });

  test("that a reorganization reverts and pays again", async () => {
    const { refid } = await world.createPicked();
    const id = await world.pay(refid, { amount: usdt("100"), status: "credited" });
    await world.change([id], "seen", minutes(START, 1));
    await world.change([id], "credited", minutes(START, 2));
    await world.change([id], "dropped", minutes(START, 3));
    const heard = await typesOf(refid);
    assert.equal(
      heard,
      "Created ReceivedPayment PaymentSettled Settled Processing PaymentSettled Settled Invalid",
    );
  });
});

test("a payment that becomes final while its event is stored is reported as final afterwards", async () => {
  const { refid } = await world.createPicked();
  const id = await world.pay(refid, { amount: usdt("40") });
  const { rows } = await world.database.pool.query(
    "update payments set reported = null where deposit_id = $1 returning payment_link_id as link",
    [id],
  );
  await world.db.transaction(async (tx) => {
    const seen = await listUnreportedPayments(tx, [Number(rows[0].link)], 10);
    assert.equal(seen[0]?.status, "seen");
    await tx.update(deposits).set({ status: "credited" }).where(eq(deposits.id, id));
    await updateReported(tx, seen);
    const [next] = await listUnreportedPayments(tx, [Number(rows[0].link)], 10);
    assert.deepEqual([next?.reported, next?.status], ["received", "credited"]);
  });
});

test("a payment below the minimum is not reported", async () => {
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: 1n, status: "credited" });
  assert.equal(await typesOf(refid), "Created");
});

test("no event is stored for a merchant whose shops have no such endpoint", async () => {
  const by = { merchantId: world.owner.merchantId };
  const removed = await performAs(world.db, by, removeEndpoint, { id: endpointId });
  assert.ok(removed.ok);
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("100"), status: "credited" });
  assert.deepEqual(await world.eventTypes(), ["completed"]);
});

test("an endpoint of another format gets none of them, and the shop none of the others", async () => {
  const by = { merchantId: world.owner.merchantId };
  const given = { sealer, url: "https://shop.example.com/other", eventTypes: null };
  const other = await performAs(world.db, by, addEndpoint, given);
  assert.ok(other.ok);
  const { refid } = await world.createPicked();
  await world.pay(refid, { amount: usdt("100"), status: "credited" });
  const rows = await world.db
    .select({
      type: webhookEvents.type,
      format: webhookEvents.format,
      endpoint: webhookDeliveries.endpointId,
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId));
  const standard = rows.filter(({ endpoint }) => endpoint === other.endpoint.id);
  assert.deepEqual(
    standard.map(({ type }) => type),
    ["payment_link_completed"],
  );
  const shop = rows.filter(({ endpoint }) => endpoint === endpointId);
  assert.deepEqual([...new Set(shop.map(({ format }) => format))], ["btcpay"]);
});
