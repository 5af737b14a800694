import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { setEventTypes } from "#lib/domain/webhooks/change-endpoints.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf } from "#tests/support/acts.ts";
import { SECRET_KEY, startTestApi, type TestMerchant, type TestRequest } from "#tests/support/api.ts";
import { emitRawEvent, emitRawEvents, type RawEvent } from "#tests/support/emit-raw-event.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";
import { startReceiver, status } from "#tests/unit/domain/webhooks/receiver.ts";
import { sendDue } from "./send-due.ts";

const HASH = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";
const clock = { now: new Date() };
const api = await startTestApi({ now: () => clock.now });
const { db } = api.database;
const secrets = openSecrets(SECRET_KEY);
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const receiver = await startReceiver(await secretOf(merchant));
after(() => receiver.close());

async function secretOf({ id }: TestMerchant): Promise<string> {
  const rows = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.merchantId, id));
  return secrets.open(rows.find(({ env }) => env === "test")!.secret);
}

const owner = { merchantId: merchant.id, env: "test" } as const;
const sendTo = (url: string | null) => db.transaction((tx) => setEndpointUrl(tx, { ...owner, url }));
const event = (txHash: string, type: RawEvent["type"] = "deposit_credited"): RawEvent => ({
  ...{ ...owner, type, dataJson: '{"n":1}', txHashes: [txHash] },
});
const emit = (txHash: string, type?: RawEvent["type"]) =>
  db.transaction((tx) => emitRawEvent(tx, event(txHash, type), clock.now));
const retrigger = (transaction_hash: string, { key = merchant.test, once = "" } = {}) =>
  api.client(key).POST("/webhooks/retrigger", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body: { transaction_hash },
  });
const retriggered = (answer: Parameters<typeof succeeded>[0], ids: number[], hash: string) =>
  succeeded(answer, `${ids.length} webhook events retriggered successfully`, {
    ...{ retriggered_count: ids.length, webhook_ids: ids, transaction_hash: hash },
  });
const setDelivery = (id: number, changes: Partial<typeof webhookDeliveries.$inferInsert>) =>
  db.update(webhookDeliveries).set(changes).where(eq(webhookDeliveries.eventId, id));
const send = () => sendDue(api, merchant, () => clock.now);
const NONE = "no webhook events found for the provided transaction";
const deliveries = (eventId: number) =>
  db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));

test("sends every event of the hash again with the same id and body and a new timestamp and signature", async () => {
  await sendTo(receiver.url);
  const ids = [(await emit(HASH)).id, (await emit(HASH, "payment_link_completed")).id];
  await emit("0xother");
  await send();
  const first = new Map(receiver.received.map((one) => [one.id, one]));
  assert.equal(first.size, 3);
  clock.now = new Date(clock.now.getTime() + 2_000);
  retriggered(await retrigger(HASH), ids, HASH);
  await send();
  const again = receiver.received.slice(3);
  assert.deepEqual(again.map(({ id }) => id).sort(), ids.map((id) => `evt_${id}`).sort());
  for (const one of again) {
    const former = first.get(one.id)!;
    assert.equal(one.body, former.body);
    assert.ok(Number(one.timestamp) > Number(former.timestamp));
    assert.notEqual(one.signature, former.signature);
    assert.ok(one.verified && former.verified);
  }
});

test("accepts the hash in upper case, without 0x and in a form, and returns it as it was sent", async () => {
  await sendTo(receiver.url);
  const hash = "0xabcdef0123";
  const { id } = await emit(hash);
  for (const text of ["0xABCDEF0123", "abcdef0123", "ABCDEF0123"]) {
    retriggered(await retrigger(text), [id], text);
  }
  const bare = await emit("fedcba98");
  const form = { transaction_hash: "0xFEDCBA98" };
  const answer = await api.send({ path: "/webhooks/retrigger", form, key: merchant.test });
  retriggered(answer, [bare.id], "0xFEDCBA98");
});

test("fifty concurrent requests send each event once more", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0xfifty01");
  await setDelivery(id, { status: "delivered", nextAttemptAt: null });
  const responses = await Promise.all(Array.from({ length: 50 }, () => retrigger("0xfifty01")));
  for (const response of responses) retriggered(response, [id], "0xfifty01");
  assert.deepEqual((await deliveries(id)).map((one) => one.status).sort(), ["delivered", "due"]);
});

test("fifty concurrent requests with one idempotency key count as one and get one response", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0x0f1f70");
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => retrigger("0x0f1f70", { once: "again" })),
  );
  assert.equal(new Set(responses.map((response) => JSON.stringify(successOf(response)))).size, 1);
  retriggered(responses[0]!, [id], "0x0f1f70");
});

test("sends failed events, and events waiting for a later attempt, at once", async () => {
  await sendTo(receiver.url);
  const [failed, waiting] = [await emit("0xf0"), await emit("0xf0")];
  const later = new Date(clock.now.getTime() + 36_000_000);
  await setDelivery(failed.id, { status: "failed", attempts: 10, nextAttemptAt: null });
  await setDelivery(waiting.id, { attempts: 4, nextAttemptAt: later });
  retriggered(await retrigger("0xf0"), [failed.id, waiting.id], "0xf0");
  assert.deepEqual((await deliveries(failed.id)).map((one) => one.status).sort(), ["due", "failed"]);
  const [one, ...more] = await deliveries(waiting.id);
  assert.deepEqual(more, []);
  assert.ok(one!.nextAttemptAt! < later);
});

test("sends at most the newest 500 events", async () => {
  await sendTo(receiver.url);
  const events = Array.from({ length: 501 }, () => event("0x500"));
  const made = await db.transaction((tx) => emitRawEvents(tx, events, clock.now));
  const ids = made.map(({ id }) => id);
  retriggered(await retrigger("0x500"), ids.slice(1), "0x500");
});

test("reports zero events if no endpoint subscribes to them", async () => {
  await sendTo(receiver.url);
  const { id } = await emit("0xe0");
  await sendTo(null);
  retriggered(await retrigger("0xe0"), [], "0xe0");
  await sendTo(receiver.url);
  await db.transaction((tx) =>
    setEventTypes(actOf(tx, owner.merchantId), { eventTypes: ["payment_link_failed"] }),
  );
  retriggered(await retrigger("0xe0"), [], "0xe0");
  await db.transaction((tx) => setEventTypes(actOf(tx, owner.merchantId), { eventTypes: null }));
  retriggered(await retrigger("0xe0"), [id], "0xe0");
});

test("finds no events for an unknown hash or one of another merchant or environment", async () => {
  refused(await retrigger("0xnothing"), 500, NONE);
  refused(await retrigger(HASH, { key: otherMerchant.test }), 500, NONE);
  refused(await retrigger(HASH, { key: merchant.live }), 500, NONE);
});

test("reports a missing hash before any other problem of the body", async () => {
  const absent = "transaction_hash is required";
  refused(await retrigger(""), 400, absent, "bad");
  for (const request of [
    { form: {} },
    { form: { transaction_hash: "" } },
    { form: { other: "1" } },
    { method: "POST" },
    { json: { transaction_hash: null } },
  ] as Partial<TestRequest>[]) {
    const answer = await api.send({ path: "/webhooks/retrigger", ...request, key: merchant.test });
    refused(answer, 400, absent, "bad");
  }
});

for (const [transaction_hash, message] of [
  [5, "(transaction_hash) must be a string"],
  [["0x1"], "(transaction_hash) must be a string"],
  ["a\0b", "(transaction_hash) contains an unsupported character"],
  ["x".repeat(256), "(transaction_hash) is too long"],
] as const) {
  test(`refuses ${JSON.stringify(transaction_hash).slice(0, 20)}`, async () => {
    const json = { transaction_hash };
    refused(await api.send({ path: "/webhooks/retrigger", json, key: merchant.test }), 400, message);
  });
}

test("an event whose receiver failed arrives when it is sent again", async () => {
  const before = receiver.received.length;
  await sendTo(receiver.url);
  receiver.reply(status(500), status(200));
  await db.update(webhookDeliveries).set({ status: "delivered", nextAttemptAt: null });
  const { id } = await emit("0xfa11");
  await send();
  assert.equal((await deliveries(id))[0]?.lastStatus, 500);
  retriggered(await retrigger("0xfa11"), [id], "0xfa11");
  await send();
  assert.equal((await deliveries(id))[0]?.status, "delivered");
  assert.deepEqual(
    receiver.received.slice(before).map((one) => one.id),
    [`evt_${id}`, `evt_${id}`],
  );
});
