import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, gte } from "drizzle-orm";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#lib/domain/webhooks/tables.ts";
import {
  createEndpoint,
  generateWebhookSecret,
  setEndpointUrl,
} from "#lib/domain/webhooks/webhook-endpoints.ts";
import { emitRawEvent, emitRawEvents, type RawEvent } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { collectWakened } from "./collect-wakened.ts";
import { merchantWithEndpoint } from "./receiver.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const base = await databaseOfFile();

const merchant = (url: string | null = "https://shop.example/hook") =>
  merchantWithEndpoint(base.db, { url, secret: generateWebhookSecret() });

const endpoint = (merchantId: number) => ({
  ...{ merchantId, env: "test" as const },
  ...{ url: "https://b.example", sealedSecret: Buffer.from("s") },
});

const completed = (merchantId: number): RawEvent => ({
  merchantId,
  env: "test",
  type: "payment_link_completed",
  dataJson: '{"refid":"x"}',
  txHashes: ["0xab"],
});

const emit = (event: RawEvent) => base.db.transaction((tx) => emitRawEvent(tx, event, NOW));

const deliveriesOf = (eventId: number) =>
  base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));

const wakened = (work: () => Promise<unknown>) => collectWakened(base.url, work);

test("stores an event with its body, hashes and a due delivery, and notifies the workers", async () => {
  const { merchantId, endpointId } = await merchant();
  let id = 0;
  const heard = await wakened(async () => {
    id = (await emit(completed(merchantId))).id;
  });
  assert.deepEqual(heard, [endpointId]);
  const [event] = await base.db.select().from(webhookEvents).where(eq(webhookEvents.id, id));
  assert.equal(
    event?.body,
    '{"type":"payment_link_completed","timestamp":"2026-03-01T12:00:00.000Z","data":{"refid":"x"}}',
  );
  assert.deepEqual(event?.txHashes, ["0xab"]);
  const [delivery, ...others] = await deliveriesOf(id);
  assert.deepEqual(others, []);
  assert.equal(delivery?.endpointId, endpointId);
  assert.equal(delivery?.status, "due");
  assert.equal(delivery?.attempts, 0);
  assert.deepEqual(delivery?.nextAttemptAt, NOW);
});

test("a rollback stores no event and notifies no worker", async () => {
  const { merchantId } = await merchant();
  const failing = () =>
    base.db.transaction(async (tx) => {
      await emitRawEvent(tx, completed(merchantId), NOW);
      throw new Error("the change failed");
    });
  assert.deepEqual(await wakened(() => assert.rejects(failing(), /the change failed/)), []);
  const events = await base.db.select().from(webhookEvents).where(eq(webhookEvents.merchantId, merchantId));
  assert.deepEqual(events, []);
});

test("sends nothing to endpoints without address, disabled, or of another environment or merchant", async () => {
  const { merchantId } = await merchant(null);
  const disabled = { ...endpoint(merchantId), url: "https://a.example" };
  await base.db.transaction(async (tx) => {
    const { id } = await createEndpoint(tx, disabled);
    await tx.update(webhookEndpoints).set({ disabledAt: NOW }).where(eq(webhookEndpoints.id, id));
    await createEndpoint(tx, { ...disabled, env: "live" });
  });
  await merchant();
  const { id } = await emit(completed(merchantId));
  assert.deepEqual(await deliveriesOf(id), []);
});

test("an endpoint gets the types that it is subscribed to, or all types without a list", async () => {
  const { merchantId, endpointId } = await merchant();
  await base.db
    .update(webhookEndpoints)
    .set({ eventTypes: ["deposit_credited", "payment_link_failed"] })
    .where(eq(webhookEndpoints.id, endpointId));
  const second = await base.db.transaction((tx) => createEndpoint(tx, endpoint(merchantId)));
  const { id } = await emit(completed(merchantId));
  assert.deepEqual(
    (await deliveriesOf(id)).map((row) => row.endpointId),
    [second.id],
  );
  const failed = await emit({ ...completed(merchantId), type: "payment_link_failed" });
  assert.deepEqual(
    (await deliveriesOf(failed.id)).map((row) => row.endpointId).sort((a, b) => a - b),
    [endpointId, second.id],
  );
});

test("stores many events in their order, each with its own deliveries, and notifies each endpoint once", async () => {
  const [first, second, deaf] = [await merchant(), await merchant(), await merchant(null)];
  const owners = [first, second, deaf];
  const events = Array.from({ length: 2_500 }, (_, n): RawEvent => {
    const { merchantId } = owners[n % owners.length]!;
    return { ...completed(merchantId), dataJson: `{"n":${n}}`, txHashes: [`0x${n}`] };
  });
  let stored: { id: number }[] = [];
  const heard = await wakened(async () => {
    stored = await base.db.transaction((tx) => emitRawEvents(tx, events, NOW));
  });
  assert.deepEqual(
    heard.sort((a, b) => a - b),
    [first.endpointId, second.endpointId],
  );
  const rows = await base.db.select().from(webhookEvents).where(gte(webhookEvents.id, stored[0]!.id));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [n, { id }] of stored.entries()) {
    const row = byId.get(id);
    assert.equal(row?.merchantId, owners[n % owners.length]?.merchantId);
    assert.equal((JSON.parse(row?.body ?? "") as { data: { n: number } }).data.n, n);
    assert.deepEqual(row?.txHashes, [`0x${n}`]);
  }
  const ids = new Set(stored.map(({ id }) => id));
  const deliveries = (await base.db.select().from(webhookDeliveries)).filter((row) => ids.has(row.eventId));
  assert.equal(deliveries.length, events.filter((_, n) => n % owners.length < 2).length);
  for (const { eventId, endpointId, status, nextAttemptAt } of deliveries) {
    const owner = owners.find(({ merchantId }) => merchantId === byId.get(eventId)?.merchantId);
    assert.deepEqual([endpointId, status, nextAttemptAt], [owner?.endpointId, "due", NOW]);
  }
  assert.deepEqual(await base.db.transaction((tx) => emitRawEvents(tx, [], NOW)), []);
});

test("a new address enables an endpoint again, and a merchant without endpoint gets a refusal", async () => {
  const { merchantId, endpointId } = await merchant();
  await base.db.update(webhookEndpoints).set({ disabledAt: NOW }).where(eq(webhookEndpoints.id, endpointId));
  const url = "https://new.example/hook";
  const update = (env: "live" | "test") =>
    base.db.transaction((tx) => setEndpointUrl(tx, { merchantId, env, url }));
  assert.deepEqual(await update("test"), { ok: true });
  assert.deepEqual(await update("live"), { ok: false, reason: "no_endpoint" });
  const [endpoint] = await listEndpoints(base.db, { merchantId, env: "test" });
  assert.equal(endpoint?.url, url);
  assert.equal(endpoint?.disabledAt, null);
  assert.ok(!("secret" in (endpoint ?? {})));
});
