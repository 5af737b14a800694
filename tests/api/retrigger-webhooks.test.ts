import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { setEndpointEventTypes, setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY, startApi, type TestMerchant, type TestRequest } from "#tests/support/api.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { until } from "#tests/support/until.ts";
import { agent, startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";

const HASH = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";
const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };
const api = await startApi({ now: clock.now });
const { db } = api.database;
const secrets = openSecrets(SECRET_KEY);
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const receiver = await startReceiver(await secretOf(merchant));
after(async () => {
  await receiver.close();
  await api.close();
});

async function secretOf({ id }: TestMerchant): Promise<string> {
  const rows = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.merchantId, id));
  return secrets.open(rows.find(({ env }) => env === "test")!.secret);
}

const owner = { merchantId: merchant.id, env: "test" } as const;
const sendTo = (url: string | null) => db.transaction((tx) => setEndpointUrl(tx, { ...owner, url }));
const emit = (txHash: string, type: "payment_link_completed" | "deposit_credited" = "deposit_credited") =>
  db.transaction((tx) =>
    emitRawEvent(tx, { ...owner, type, dataJson: '{"n":1}', txHashes: [txHash] }, clock.now()),
  );
const retrigger = (transaction_hash: string, { key = merchant.test, once = "" } = {}) =>
  api.client(key).POST("/webhooks/retrigger", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body: { transaction_hash },
  });
const retriggered = (ids: number[], hash: string) => ({
  status: "success",
  message: `${ids.length} webhook events retriggered successfully`,
  data: { retriggered_count: ids.length, webhook_ids: ids, transaction_hash: hash },
});
const NONE = "no webhook events found for the provided transaction";
const deliveries = (eventId: number) =>
  db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));

test("sends every event of the hash again with the same id and body and a new timestamp and signature", async () => {
  await sendTo(receiver.url);
  const ids = [(await emit(HASH)).id, (await emit(HASH, "payment_link_completed")).id];
  await emit("0xother");
  const worker = await startWebhookWorker({
    database: api.database.database,
    secrets,
    agent,
    log: api.services.log,
    now: clock.now,
  });
  try {
    // An event that is still being sent would not be sent again.
    await until("the first deliveries", async () => {
      const rows = await db.select().from(webhookDeliveries);
      return rows.length === 3 && rows.every((row) => row.status === "delivered");
    });
    const first = new Map(receiver.received.map((one) => [one.id, one]));
    clock.aheadMs = 2_000;
    says(await retrigger(HASH), 200, retriggered(ids, HASH));
    await until("the deliveries that were asked for", () => receiver.received.length === 5);
    const again = receiver.received.slice(3);
    assert.deepEqual(again.map(({ id }) => id).sort(), ids.map((id) => `evt_${id}`).sort());
    for (const one of again) {
      const former = first.get(one.id)!;
      assert.equal(one.body, former.body);
      assert.ok(Number(one.timestamp) > Number(former.timestamp));
      assert.notEqual(one.signature, former.signature);
      assert.ok(one.verified && former.verified);
    }
  } finally {
    await worker.stop();
  }
});

test("accepts the hash in upper case, without 0x and in a form, and returns it as it was sent", async () => {
  await sendTo(receiver.url);
  const hash = "0xabcdef0123";
  const { id } = await emit(hash);
  for (const text of ["0xABCDEF0123", "abcdef0123", "ABCDEF0123"]) {
    says(await retrigger(text), 200, retriggered([id], text));
  }
  const bare = await emit("fedcba98");
  const form = { transaction_hash: "0xFEDCBA98" };
  const headers = { "x-staging-api-key": merchant.test };
  says(
    await api.send({ path: "/webhooks/retrigger", form, headers }),
    200,
    retriggered([bare.id], "0xFEDCBA98"),
  );
});

test("fifty concurrent requests send each event once more", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0xfifty01");
  await db
    .update(webhookDeliveries)
    .set({ status: "delivered", nextAttemptAt: null })
    .where(eq(webhookDeliveries.eventId, id));
  const responses = await Promise.all(Array.from({ length: 50 }, () => retrigger("0xfifty01")));
  for (const response of responses) says(response, 200, retriggered([id], "0xfifty01"));
  assert.deepEqual((await deliveries(id)).map((one) => one.status).sort(), ["delivered", "due"]);
});

test("fifty concurrent requests with one idempotency key count as one and get one response", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0x0f1f70");
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => retrigger("0x0f1f70", { once: "again" })),
  );
  assert.equal(new Set(responses.map((response) => JSON.stringify(successOf(response)))).size, 1);
  says(responses[0]!, 200, retriggered([id], "0x0f1f70"));
});

test("sends failed events, and events waiting for a later attempt, at once", async () => {
  await sendTo(receiver.url);
  const [failed, waiting] = [await emit("0xf0"), await emit("0xf0")];
  const later = new Date(clock.now().getTime() + 36_000_000);
  await db
    .update(webhookDeliveries)
    .set({ status: "failed", attempts: 10, nextAttemptAt: null })
    .where(eq(webhookDeliveries.eventId, failed.id));
  await db
    .update(webhookDeliveries)
    .set({ attempts: 4, nextAttemptAt: later })
    .where(eq(webhookDeliveries.eventId, waiting.id));
  says(await retrigger("0xf0"), 200, retriggered([failed.id, waiting.id], "0xf0"));
  assert.deepEqual((await deliveries(failed.id)).map((one) => one.status).sort(), ["due", "failed"]);
  const [one, ...more] = await deliveries(waiting.id);
  assert.deepEqual(more, []);
  assert.ok(one!.nextAttemptAt! < later);
});

test("sends at most the newest 500 events", async () => {
  await sendTo(receiver.url);
  const ids: number[] = [];
  for (let i = 0; i < 501; i++) ids.push((await emit("0x500")).id);
  says(await retrigger("0x500"), 200, retriggered(ids.slice(1), "0x500"));
});

test("reports zero events if no endpoint subscribes to them", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0xe0");
  await sendTo(null);
  says(await retrigger("0xe0"), 200, retriggered([], "0xe0"));
  await sendTo(receiver.url);
  await db.transaction((tx) => setEndpointEventTypes(tx, owner, ["payment_link_failed"]));
  says(await retrigger("0xe0"), 200, retriggered([], "0xe0"));
  await db.transaction((tx) => setEndpointEventTypes(tx, owner, null));
  says(await retrigger("0xe0"), 200, retriggered([id], "0xe0"));
});

test("finds no events for an unknown hash or one of another merchant or environment", async () => {
  refused(await retrigger("0xnothing"), 500, NONE);
  refused(await retrigger(HASH, { key: otherMerchant.test }), 500, NONE);
  refused(await retrigger(HASH, { key: merchant.live }), 500, NONE);
});

test("reports a missing hash before any other problem of the body", async () => {
  const absent = { status: "bad", message: "transaction_hash is required" };
  says(await retrigger(""), 400, absent);
  const headers = { "x-staging-api-key": merchant.test };
  for (const request of [
    { form: {} },
    { form: { transaction_hash: "" } },
    { form: { other: "1" } },
    { method: "POST" },
    { json: { transaction_hash: null } },
  ] as Partial<TestRequest>[]) {
    says(await api.send({ path: "/webhooks/retrigger", ...request, headers }), 400, absent);
  }
});

for (const [given, message] of [
  [5, "(transaction_hash) must be a string"],
  [["0x1"], "(transaction_hash) must be a string"],
  ["a\0b", "(transaction_hash) contains an unsupported character"],
  ["x".repeat(256), "(transaction_hash) is too long"],
] as const) {
  test(`refuses ${JSON.stringify(given).slice(0, 20)}`, async () => {
    const headers = { "x-staging-api-key": merchant.test };
    const response = await api.send({
      path: "/webhooks/retrigger",
      json: { transaction_hash: given },
      headers,
    });
    refused(response, 400, message);
  });
}

test("only a key with full scope may send events", async () => {
  for (const scope of ["read", "payment-links"] as const) {
    await db.update(apiKeys).set({ scope });
    refused(await retrigger(HASH), 403, "api key not allowed for this operation");
  }
  await db.update(apiKeys).set({ scope: "full" });
  const form = { transaction_hash: HASH };
  refused(await api.send({ path: "/webhooks/retrigger", form }), 401, "invalid api key");
});

test("an event whose receiver failed arrives when it is sent again", async () => {
  const before = receiver.received.length;
  await sendTo(receiver.url);
  receiver.reply(status(500), status(200));
  await db.update(webhookDeliveries).set({ status: "delivered", nextAttemptAt: null });
  const { id } = await emit("0xfa11");
  const worker = await startWebhookWorker({
    database: api.database.database,
    secrets,
    agent,
    log: api.services.log,
    now: clock.now,
  });
  try {
    await until("the failed attempt", async () => (await deliveries(id))[0]?.lastStatus === 500);
    says(await retrigger("0xfa11"), 200, retriggered([id], "0xfa11"));
    await until("the delivery", async () => (await deliveries(id))[0]?.status === "delivered");
    assert.deepEqual(
      receiver.received.slice(before).map((one) => one.id),
      [`evt_${id}`, `evt_${id}`],
    );
  } finally {
    await worker.stop();
  }
});
