import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { deleteOldAttempts, deleteOldEvents } from "#lib/domain/webhooks/delete-old-events.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { countDeliveries, listAttempts, listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import { redeliverEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { createEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { deliverDeps, merchantWithEndpoint, type Receiver, startReceiver, status } from "./receiver.ts";

const START = new Date("2026-03-01T12:00:00.000Z");
const ANY = { status: null, eventId: null, before: null, limit: 100 } as const;
let base: TestDatabase;
let receiver: Receiver;
let now = START;

before(async () => {
  base = await testDatabase();
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await base.close();
});

const deps = () => deliverDeps(base.db, () => now);

async function send(endpointId: number): Promise<number> {
  const { claimed } = await claimDeliveries(deps(), endpointId, 100);
  for (const one of claimed) await deliverWebhook(deps(), one);
  return claimed.length;
}

async function owner() {
  const { merchantId, endpointId } = await merchantWithEndpoint(base.db, receiver);
  return { of: { merchantId, env: "test" } as const, endpointId };
}

const emit = (of: { merchantId: number; env: "test" }, at = now) =>
  base.db.transaction((tx) =>
    emitRawEvent(tx, { ...of, type: "deposit_credited", dataJson: "{}", txHashes: [] }, at),
  );

test("logs the address, time, duration and the start of the answer of each attempt", async () => {
  now = START;
  const { of, endpointId } = await owner();
  const long = "é".repeat(3_000);
  receiver.reply((response) => response.writeHead(500).end(long), status(200));
  const { id: eventId } = await emit(of);
  await send(endpointId);
  now = new Date(now.getTime() + 6_000);
  await send(endpointId);
  const [delivery, ...others] = await listLoggedDeliveries(base.db, of, { ...ANY, eventId });
  assert.deepEqual(others, []);
  assert.deepEqual(
    delivery?.log.map((one) => ({ ...one, durationMs: 0, answer: one.answer?.toString("utf8") })),
    [
      {
        deliveryId: delivery?.id,
        ...{ attempt: 1, url: receiver.url, startedAt: START, durationMs: 0, status: 500 },
        ...{ error: "answered 500", answer: "é".repeat(1_024) },
      },
      {
        deliveryId: delivery?.id,
        ...{
          attempt: 2,
          url: receiver.url,
          startedAt: now,
          durationMs: 0,
          status: 200,
          error: null,
          answer: "ok",
        },
      },
    ],
  );
  assert.ok(delivery?.log.every(({ durationMs }) => durationMs >= 0 && durationMs < 5_000));
  assert.equal(delivery?.body, receiver.received.at(-1)?.body);
  assert.deepEqual(
    [delivery?.status, delivery?.attempts, delivery?.endpointId],
    ["delivered", 2, endpointId],
  );
  // A list without an event id has neither bodies nor answers.
  const [brief] = await listLoggedDeliveries(base.db, of, ANY);
  assert.deepEqual([brief?.body, brief?.log.map(({ answer }) => answer)], [null, [null, null]]);
  assert.deepEqual(await listAttempts(base.db, delivery!.id), delivery?.log);
});

test("logs an attempt without an answer", async () => {
  const { merchantId, endpointId } = await merchantWithEndpoint(base.db, {
    url: "http://10.0.0.1:8000/",
    secret: receiver.secret,
  });
  const of = { merchantId, env: "test" } as const;
  const { id: eventId } = await emit(of);
  await send(endpointId);
  const [delivery] = await listLoggedDeliveries(base.db, of, { ...ANY, eventId });
  const [attempt] = delivery!.log;
  assert.deepEqual([attempt?.status, attempt?.error, attempt?.answer], [null, "address_not_allowed", null]);
});

test("lists the log of one owner newest first, in pages, by status and endpoint", async () => {
  receiver.reply(status(200));
  const { of, endpointId } = await owner();
  const second = await base.db.transaction((tx) =>
    createEndpoint(tx, { ...of, url: receiver.url, sealedSecret: Buffer.from(receiver.secret) }),
  );
  const stranger = await owner();
  for (let n = 0; n < 5; n++) {
    await emit(of);
    await emit(stranger.of);
  }
  await send(endpointId);
  const all = await listLoggedDeliveries(base.db, of, ANY);
  assert.equal(all.length, 10);
  assert.equal(await countDeliveries(base.db, of, ANY), 10);
  const ids = all.map(({ id }) => id);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  );
  assert.deepEqual([...new Set(all.map((one) => one.endpointId))].sort(), [endpointId, second.id].sort());
  const parts = [];
  for (let before: number | null = null; ; ) {
    const part = await listLoggedDeliveries(base.db, of, { ...ANY, before, limit: 3 });
    if (part.length === 0) break;
    parts.push(...part.map(({ id }) => id));
    before = part.at(-1)!.id;
  }
  assert.deepEqual(parts, ids);
  const due = await listLoggedDeliveries(base.db, of, { ...ANY, status: "due" });
  assert.ok(due.length === 5 && due.every((one) => one.endpointId === second.id));
  assert.equal(await countDeliveries(base.db, of, { ...ANY, status: "delivered" }), 5);
});

test("redelivers the events of a period: all or only undelivered ones, to all or one endpoint, in parts", async () => {
  now = START;
  receiver.reply(status(200));
  const { of, endpointId } = await owner();
  const second = await base.db.transaction((tx) =>
    createEndpoint(tx, { ...of, url: receiver.url, sealedSecret: Buffer.from(receiver.secret) }),
  );
  const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
  const events: number[] = [];
  for (let minutes = 0; minutes < 6; minutes++) events.push((await emit(of, at(minutes))).id);
  now = at(10);
  await send(endpointId);
  await base.db
    .update(webhookDeliveries)
    .set({ status: "failed", nextAttemptAt: null })
    .where(eq(webhookDeliveries.endpointId, second.id));
  const asked = { from: at(1), to: at(4), after: 0, endpointId: null, undelivered: false };
  const again = (more: Partial<Omit<typeof asked, "endpointId">> & { endpointId?: number }) =>
    base.db.transaction((tx) => redeliverEvents(tx, of, { ...asked, ...more }, now));
  const arrive = async (id: number) => {
    const before = receiver.received.length;
    await send(id);
    return receiver.received.slice(before).map((one) => one.id);
  };
  const named = (...places: number[]) => places.map((n) => `evt_${events[n]}`);

  assert.deepEqual(await again({ undelivered: true }), { ok: true, events: 3, lastEvent: null });
  assert.deepEqual(await arrive(endpointId), []);
  assert.deepEqual(await arrive(second.id), named(1, 2, 3));
  assert.deepEqual(await again({ undelivered: true }), { ok: true, events: 0, lastEvent: null });
  assert.deepEqual(await again({ endpointId, after: events[1]! }), { ok: true, events: 2, lastEvent: null });
  assert.deepEqual(await arrive(endpointId), named(2, 3));
  assert.deepEqual(await arrive(second.id), []);
  assert.deepEqual(await again({ from: at(4), to: at(60) }), { ok: true, events: 2, lastEvent: null });
  assert.deepEqual(await arrive(endpointId), named(4, 5));
  assert.deepEqual(await arrive(second.id), named(4, 5));
});

test("deletes an attempt after thirty days and keeps its delivery", async () => {
  now = new Date("2026-06-01T00:00:00.000Z");
  const { of, endpointId } = await owner();
  await emit(of);
  await send(endpointId);
  const kept = await base.db.select().from(webhookAttempts).orderBy(asc(webhookAttempts.id));
  const last = kept.at(-1)!;
  assert.deepEqual(last.startedAt, now);
  const days = (n: number) => new Date(now.getTime() + n * 86_400_000);
  await deleteOldAttempts(base.db, days(30));
  assert.deepEqual(
    (await base.db.select().from(webhookAttempts)).map(({ id }) => id),
    [last.id],
  );
  await deleteOldAttempts(base.db, new Date(days(30).getTime() + 1));
  assert.deepEqual(await base.db.select().from(webhookAttempts), []);
  assert.equal((await listLoggedDeliveries(base.db, of, ANY)).length, 1);
});

test("deletes an event after the days that are set, with its deliveries, unless it is still due somewhere", async () => {
  now = new Date("2026-06-01T00:00:00.000Z");
  const { of, endpointId } = await owner();
  const delivered = await emit(of);
  await send(endpointId);
  receiver.reply(status(500), status(200));
  const waiting = await emit(of);
  await send(endpointId);
  const late = new Date(now.getTime() + 90 * 86_400_000);
  const left = async (at: Date) => {
    await deleteOldEvents(base.db, { days: 90, now: at });
    const events = await base.db
      .select()
      .from(webhookEvents)
      .where(eq(webhookEvents.merchantId, of.merchantId))
      .orderBy(webhookEvents.id);
    return events.map(({ id }) => id);
  };
  assert.deepEqual(await left(late), [delivered.id, waiting.id]);
  const after = new Date(late.getTime() + 1);
  assert.deepEqual(await left(after), [waiting.id]);
  assert.deepEqual(
    (await listLoggedDeliveries(base.db, of, ANY)).map(({ eventId, log }) => [eventId, log.length]),
    [[waiting.id, 1]],
  );
  now = new Date(now.getTime() + 6_000);
  await send(endpointId);
  assert.deepEqual(await left(after), []);
});
