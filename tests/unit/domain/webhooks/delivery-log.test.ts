import assert from "node:assert/strict";
import { test } from "node:test";
import { asc, eq, sql } from "drizzle-orm";
import { deleteOldAttempts, deleteOldEvents } from "#lib/domain/webhooks/delete-old-events.ts";
import { countDeliveries, listAttempts, listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import { redeliverEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { webhookAttempts, webhookDeliveries, webhookEvents } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { planOf } from "#tests/support/plan-of.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { status } from "./receiver.ts";

const START = new Date("2026-03-01T12:00:00.000Z");
const ANY = { status: null, eventId: null, before: null, limit: 100 } as const;
const bench = await openDeliveryBench(START, { isNew: true });

/** A merchant, as the log asks for it. */
async function anOwner(url = bench.receiver.url) {
  const owner = await bench.owner({ url, secret: bench.receiver.secret });
  const { merchantId, env, endpointId } = owner;
  return { owner, of: { merchantId, env }, endpointId };
}
const logOf = (of: { merchantId: number; env: "test" }, asked = {}) =>
  listLoggedDeliveries(bench.db, of, { ...ANY, ...asked });

test("logs the address, time, duration and the start of the answer of each attempt", async () => {
  const { owner, of, endpointId } = await anOwner();
  const long = "é".repeat(3_000);
  bench.receiver.reply((response) => response.writeHead(500).end(long), status(200));
  const { id: eventId } = await bench.emit(owner);
  await bench.send(endpointId);
  bench.advance(6);
  await bench.send(endpointId);
  const [delivery, ...others] = await logOf(of, { eventId });
  assert.deepEqual(others, []);
  assert.deepEqual(
    delivery?.log.map((one) => ({ ...one, durationMs: 0, answer: one.answer?.toString("utf8") })),
    [
      {
        deliveryId: delivery?.id,
        ...{ attempt: 1, url: bench.receiver.url, startedAt: START, durationMs: 0, status: 500 },
        ...{ error: "answered 500", answer: "é".repeat(1_024) },
      },
      {
        deliveryId: delivery?.id,
        ...{ attempt: 2, url: bench.receiver.url, startedAt: bench.now, durationMs: 0, status: 200 },
        ...{ error: null, answer: "ok" },
      },
    ],
  );
  assert.ok(delivery?.log.every(({ durationMs }) => durationMs >= 0 && durationMs < 5_000));
  assert.equal(delivery?.body, bench.receiver.received.at(-1)?.body);
  assert.deepEqual(
    [delivery?.status, delivery?.attempts, delivery?.endpointId],
    ["delivered", 2, endpointId],
  );
  // A list without an event id has neither bodies nor answers.
  const [brief] = await logOf(of);
  assert.deepEqual([brief?.body, brief?.log.map(({ answer }) => answer)], [null, [null, null]]);
  assert.deepEqual(await listAttempts(bench.db, delivery!.id), delivery?.log);
});

test("logs an attempt without an answer", async () => {
  const { owner, of, endpointId } = await anOwner("http://10.0.0.1:8000/");
  const { id: eventId } = await bench.emit(owner);
  await bench.send(endpointId);
  const [delivery] = await logOf(of, { eventId });
  const [attempt] = delivery!.log;
  assert.deepEqual([attempt?.status, attempt?.error, attempt?.answer], [null, "address_not_allowed", null]);
});

test("lists the log of one owner newest first, in pages, by status and endpoint", async () => {
  const { owner, of, endpointId } = await anOwner();
  const second = await bench.addEndpoint(owner);
  const stranger = await bench.owner();
  for (let n = 0; n < 5; n++) {
    await bench.emit(owner);
    await bench.emit(stranger);
  }
  await bench.send(endpointId);
  const all = await logOf(of);
  assert.equal(all.length, 10);
  assert.equal(await countDeliveries(bench.db, of, ANY), 10);
  const ids = all.map(({ id }) => id);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  );
  assert.deepEqual([...new Set(all.map((one) => one.endpointId))].sort(), [endpointId, second.id].sort());
  const parts = [];
  for (let before: number | null = null; ; ) {
    const part = await logOf(of, { before, limit: 3 });
    if (part.length === 0) break;
    parts.push(...part.map(({ id }) => id));
    before = part.at(-1)!.id;
  }
  assert.deepEqual(parts, ids);
  const due = await logOf(of, { status: "due" });
  assert.ok(due.length === 5 && due.every((one) => one.endpointId === second.id));
  assert.equal(await countDeliveries(bench.db, of, { ...ANY, status: "delivered" }), 5);
  const ofSecond = await logOf(of, { endpointId: second.id });
  assert.ok(ofSecond.length === 5 && ofSecond.every((one) => one.endpointId === second.id));
  assert.equal(await countDeliveries(bench.db, of, { ...ANY, endpointId: second.id }), 5);
  assert.deepEqual(await logOf(of, { endpointId: stranger.endpointId }), []);
});

test("reads the deliveries of one endpoint along its index, however many others have", async () => {
  const { owner, of, endpointId } = await anOwner();
  const second = await bench.addEndpoint(owner);
  const { id: eventId } = await bench.emit(owner);
  const many = (endpoint: number, count: number) => sql`
    insert into webhook_deliveries (event_id, endpoint_id, status, attempts)
    select ${eventId}, ${endpoint}, 'delivered', 1 from generate_series(1, ${count}::int)`;
  await bench.db.execute(many(endpointId, 5_000));
  await bench.db.execute(many(second.id, 30));
  await bench.db.execute("analyze webhook_deliveries, webhook_events, webhook_endpoints");
  const plan = await planOf(bench.base, (db) =>
    listLoggedDeliveries(db, of, { ...ANY, endpointId: second.id, limit: 20 }),
  );
  assert.match(plan, /Index Scan .*webhook_deliveries_endpoint/);
  assert.doesNotMatch(plan, /Seq Scan on webhook_deliveries|Rows Removed by Filter: [0-9]{3}/);
});

test("redelivers the events of a period: all or only undelivered ones, to all or one endpoint, in parts", async () => {
  const { owner, of, endpointId } = await anOwner();
  const second = await bench.addEndpoint(owner);
  const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
  const events: number[] = [];
  for (let minutes = 0; minutes < 6; minutes++) events.push((await bench.emit(owner, {}, at(minutes))).id);
  bench.now = at(10);
  await bench.send(endpointId);
  await bench.db
    .update(webhookDeliveries)
    .set({ status: "failed", nextAttemptAt: null })
    .where(eq(webhookDeliveries.endpointId, second.id));
  const asked = { from: at(1), to: at(4), after: 0, endpointId: null, undelivered: false };
  const again = (more: Partial<Omit<typeof asked, "endpointId">> & { endpointId?: number }) =>
    bench.db.transaction((tx) =>
      redeliverEvents(actOf(tx, of.merchantId, { env: of.env, now: bench.now }), { ...asked, ...more }),
    );
  const arrive = async (id: number) => (await bench.send(id)).map((one) => one.id);
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
  bench.now = new Date("2026-06-01T00:00:00.000Z");
  const { owner, of, endpointId } = await anOwner();
  await bench.emit(owner);
  await bench.send(endpointId);
  const kept = await bench.db.select().from(webhookAttempts).orderBy(asc(webhookAttempts.id));
  const last = kept.at(-1)!;
  assert.deepEqual(last.startedAt, bench.now);
  const days = (n: number) => new Date(bench.now.getTime() + n * 86_400_000);
  await deleteOldAttempts(bench.db, days(30));
  assert.deepEqual(
    (await bench.db.select().from(webhookAttempts)).map(({ id }) => id),
    [last.id],
  );
  await deleteOldAttempts(bench.db, new Date(days(30).getTime() + 1));
  assert.deepEqual(await bench.db.select().from(webhookAttempts), []);
  assert.equal((await logOf(of)).length, 1);
});

test("deletes an event after the days that are set, with its deliveries, unless it is still due somewhere", async () => {
  bench.now = new Date("2026-06-01T00:00:00.000Z");
  const { owner, of, endpointId } = await anOwner();
  const delivered = await bench.emit(owner);
  await bench.send(endpointId);
  bench.receiver.reply(status(500), status(200));
  const waiting = await bench.emit(owner);
  await bench.send(endpointId);
  const late = new Date(bench.now.getTime() + 90 * 86_400_000);
  const left = async (at: Date) => {
    await deleteOldEvents(bench.db, { days: 90, now: at });
    const events = await bench.db
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
    (await logOf(of)).map(({ eventId, log }) => [eventId, log.length]),
    [[waiting.id, 1]],
  );
  bench.advance(6);
  await bench.send(endpointId);
  assert.deepEqual(await left(after), []);
});

test("one call deletes all old events, however many, unless its time ends before", async () => {
  const { of } = await anOwner();
  const old = new Date(bench.now.getTime() - 100 * 86_400_000);
  await bench.db.execute(sql`
    insert into webhook_events (merchant_id, env, type, body, created_at)
    select ${of.merchantId}, ${of.env}, 'deposit_credited', '{}', ${old.toISOString()}::timestamptz
    from generate_series(1, 23000)`);
  const count = () => bench.db.$count(webhookEvents, eq(webhookEvents.merchantId, of.merchantId));
  const asked = { days: 90, now: bench.now };
  assert.equal(await deleteOldEvents(bench.db, asked, AbortSignal.abort()), false);
  assert.ok((await count()) >= 22_000);
  assert.equal(await deleteOldEvents(bench.db, asked), true);
  assert.equal(await count(), 0);
});
