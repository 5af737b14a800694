import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { pino } from "pino";
import { rotateEndpointSecret, updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import { redeliverDelivery, redeliverEvent } from "#lib/domain/webhooks/retrigger-events.ts";
import { openEndpointToTest, sendTestRequest } from "#lib/domain/webhooks/test-endpoint.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { performAs } from "#tests/support/acts.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { DeliveryBench, failDue } from "./delivery-bench.ts";
import { agent, aReceiver, type Owner, plainSecrets, status } from "./receiver.ts";
import { aShopEndpoint, emitInvoice, sayingOf } from "./shop.ts";

const { changes, ...base } = await followedDatabaseOfFile("webhook_deliveries");
const bench = new DeliveryBench(base);
const sealer = { seal: (text: string) => Buffer.from(text) };
/** The timers of an idle worker: the sweep and the probe of the listening connection. */
const IDLE = 2;

/** A merchant whose only endpoint is a shop's, at the receiver of the test. */
async function aShop(given: { readonly secret?: string; readonly automaticRedelivery?: boolean } = {}) {
  const owner = await bench.owner({ url: null, secret: "whsec_c2VjcmV0" });
  const shop = await aShopEndpoint(base.db, owner, { url: bench.receiver.url, ...given });
  return { owner, shop };
}

const emit = (owner: Owner, invoice: string, ...types: Parameters<typeof emitInvoice>[3]) =>
  emitInvoice(base.db, owner, invoice, types, bench.now);
const said = () => bench.receiver.received.map(sayingOf);
const bodies = () => bench.receiver.received.map(({ body }) => JSON.parse(body));

test("signs with a new secret at once, and with none before it", async () => {
  const { owner, shop } = await aShop();
  const by = { merchantId: owner.merchantId };
  const rotated = await performAs(base.db, by, rotateEndpointSecret, { id: shop.id, sealer });
  assert.ok(rotated.ok);
  const replace = { id: shop.id, secret: { sealer, own: { text: "replaced" } } };
  assert.ok((await performAs(base.db, by, updateEndpoint, replace)).ok);
  await emit(owner, "INV1", "InvoiceCreated");
  const [got] = await bench.send(shop.id);
  const expected = createHmac("sha256", "replaced").update(got!.body).digest("hex");
  assert.equal(got?.headers["btcpay-sig"], `sha256=${expected}`);
  assert.equal(got?.headers["webhook-signature"], undefined);
  assert.notEqual(rotated.secret, shop.secret);
});

describe("the events of an invoice", () => {
  test("arrive in their order, also if the first must be tried again", async () => {
    const { owner, shop } = await aShop();
    bench.receiver.reply(status(500), status(200));
    await emit(owner, "INV1", "InvoiceReceivedPayment", "InvoiceProcessing", "InvoiceSettled");
    await bench.send(shop.id);
    await bench.send(shop.id);
    assert.deepEqual(said(), ["INV1 ReceivedPayment"]);
    bench.advance(10);
    for (let n = 0; n < 3; n++) await bench.send(shop.id);
    assert.deepEqual(said(), [
      "INV1 ReceivedPayment",
      "INV1 ReceivedPayment",
      "INV1 Processing",
      "INV1 Settled",
    ]);
    const [first, second] = bodies();
    assert.deepEqual([first.isRedelivery, second.isRedelivery], [false, true]);
    assert.equal(second.originalDeliveryId, first.deliveryId);
    assert.notEqual(second.deliveryId, first.deliveryId);
  });

  test("arrive in their order at a corrected address", async () => {
    const { owner, shop } = await aShop();
    bench.receiver.reply(status(500));
    await emit(owner, "INV1", "InvoiceProcessing", "InvoiceSettled");
    await bench.send(shop.id);
    bench.receiver.reply(status(200));
    const update = { id: shop.id, url: `${bench.receiver.url}?corrected` };
    assert.ok(
      (await performAs(base.db, { merchantId: owner.merchantId, now: bench.now }, updateEndpoint, update)).ok,
    );
    for (let n = 0; n < 2; n++) await bench.send(shop.id);
    assert.deepEqual(said(), ["INV1 Processing", "INV1 Processing", "INV1 Settled"]);
  });

  test("do not wait for those of another invoice", async () => {
    const { owner, shop } = await aShop();
    await emit(owner, "INV1", "InvoiceProcessing", "InvoiceSettled");
    await emit(owner, "INV2", "InvoiceProcessing", "InvoiceSettled");
    bench.receiver.reply(status(500), status(200));
    await bench.send(shop.id, 1);
    for (let n = 0; n < 3; n++) await bench.send(shop.id);
    assert.deepEqual(said(), ["INV1 Processing", "INV2 Processing", "INV2 Settled"]);
  });

  test("continue after one that no attempt has delivered", async () => {
    const { owner, shop } = await aShop();
    bench.receiver.reply(status(404), status(200));
    await emit(owner, "INV1", "InvoiceProcessing", "InvoiceSettled");
    await bench.send(shop.id);
    await bench.send(shop.id);
    assert.deepEqual(said(), ["INV1 Processing", "INV1 Settled"]);
  });
});

test("an event is tried once if the shop did not want more", async () => {
  const { owner, shop } = await aShop({ automaticRedelivery: false });
  bench.receiver.reply(status(503));
  const [event] = await emit(owner, "INV1", "InvoiceSettled");
  await bench.send(shop.id);
  assert.equal((await bench.rowsOf(event!.id))[0]?.status, "failed");
});

describe("a person sends a delivery again", () => {
  test("as another delivery that names the first", async () => {
    const { owner, shop } = await aShop();
    const [event] = await emit(owner, "INV1", "InvoiceSettled");
    await bench.send(shop.id);
    const [row] = await bench.rowsOf(event!.id);
    const by = { merchantId: owner.merchantId, now: bench.now };
    const asked = { endpointId: shop.id, deliveryId: row!.id };
    const again = await performAs(base.db, by, redeliverDelivery, asked);
    assert.ok(again.ok);
    await bench.send(shop.id);
    const third = await performAs(base.db, by, redeliverDelivery, {
      ...asked,
      deliveryId: again.delivery.id,
    });
    assert.ok(third.ok);
    await bench.send(shop.id);
    const ids = bodies().map(({ deliveryId, originalDeliveryId, isRedelivery }) => [
      ...[deliveryId, originalDeliveryId, isRedelivery],
    ]);
    const original = String(row!.id);
    assert.deepEqual(ids, [
      [original, original, false],
      [String(again.delivery.id), original, true],
      [String(third.delivery.id), original, true],
    ]);
  });

  test("once, however often it is asked for while the shop is down", async () => {
    const { owner, shop } = await aShop();
    bench.receiver.reply(status(400));
    const [event] = await emit(owner, "INV1", "InvoiceSettled");
    await bench.send(shop.id);
    const [row] = await bench.rowsOf(event!.id);
    const by = { merchantId: owner.merchantId, now: bench.now };
    const ask = () => performAs(base.db, by, redeliverDelivery, { endpointId: shop.id, deliveryId: row!.id });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    const ids = new Set(answers.map((answer) => answer.ok && answer.delivery.id));
    assert.equal(ids.size, 1);
    bench.receiver.reply(status(500));
    await bench.send(shop.id);
    const later = await ask();
    assert.deepEqual([later.ok && later.delivery.id], [...ids]);
    assert.equal((await bench.rowsOf(event!.id)).length, 2);
    bench.receiver.reply(status(200));
    await bench.send(shop.id);
    assert.equal(said().length, 3, "the delivery that waits is sent at once");
    const next = await ask();
    assert.ok(next.ok && !ids.has(next.delivery.id));
  });

  test("from the console, as the event with the ids of its new delivery", async () => {
    const { owner, shop } = await aShop();
    const [event] = await emit(owner, "INV1", "InvoiceSettled");
    await bench.send(shop.id);
    assert.ok(
      (await performAs(base.db, { merchantId: owner.merchantId, now: bench.now }, redeliverEvent, event!)).ok,
    );
    await bench.send(shop.id);
    const [first, second] = bodies();
    assert.deepEqual([second.originalDeliveryId, second.isRedelivery], [first.deliveryId, true]);
  });
});

test("the log shows the text that was sent", async () => {
  const { owner, shop } = await aShop();
  const [event] = await emit(owner, "INV1", "InvoiceSettled");
  const [got] = await bench.send(shop.id);
  const filter = { status: null, eventId: event!.id, before: null, limit: 10 };
  const [logged] = await listLoggedDeliveries(base.db, owner, filter);
  assert.equal(logged?.body, got?.body);
});

test("a test request is an event of no invoice", async () => {
  const { owner, shop } = await aShop();
  const secrets = plainSecrets;
  const opened = await performAs(base.db, { merchantId: owner.merchantId }, openEndpointToTest, {
    ...{ id: shop.id, secrets },
  });
  assert.ok(opened.ok);
  await sendTestRequest(agent, opened.endpoint, bench.now);
  const [got] = bench.receiver.received;
  const expected = createHmac("sha256", shop.secret).update(got!.body).digest("hex");
  assert.equal(got?.headers["btcpay-sig"], `sha256=${expected}`);
  assert.match(JSON.parse(got!.body).invoiceId, /^__test__.*__test__$/);
});

describe("a worker", () => {
  async function worker(t: TestContext) {
    // Other servers may have the ports of earlier tests' receivers.
    await failDue(base.db);
    const clock = openManualClock();
    const started = await startWebhookWorker({
      ...{ database: base.database, secrets: plainSecrets, agent, log: pino({ level: "silent" }) },
      ...{ sweepEveryMs: 60_000, ...clock },
    });
    t.after(() => started.stop());
    return clock;
  }
  const untilDelivered = (events: readonly { id: number }[]) =>
    changes.until("all deliveries", async () => {
      const rows = await Promise.all(events.map(({ id }) => bench.rowsOf(id)));
      return rows.flat().every((row) => row.status === "delivered");
    });

  test("sends the next event of an invoice as soon as the one before has arrived", async (t) => {
    const clock = await worker(t);
    const { owner } = await aShop();
    const events = await emit(owner, "INV1", "InvoiceReceivedPayment", "InvoiceProcessing", "InvoiceSettled");
    await untilDelivered(events);
    assert.deepEqual(said(), ["INV1 ReceivedPayment", "INV1 Processing", "INV1 Settled"]);
    await clock.untilAsleep(IDLE);
    assert.ok(
      clock.sleeping().every((ms) => ms <= 60_000),
      "no sweep was needed",
    );
  });

  test("holds up no other shop while one is slow", async (t) => {
    await worker(t);
    const { owner } = await aShop();
    bench.receiver.reply(() => {});
    await emit(owner, "INV1", "InvoiceSettled");
    await bench.receiver.arrived(1);
    const quick = await aReceiver(t);
    const other = await bench.owner({ url: null, secret: "whsec_c2VjcmV0" });
    await aShopEndpoint(base.db, other, { url: quick.url });
    await untilDelivered(await emit(other, "INV2", "InvoiceProcessing", "InvoiceSettled"));
    assert.deepEqual(quick.received.map(sayingOf), ["INV2 Processing", "INV2 Settled"]);
  });
});
