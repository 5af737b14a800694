import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { startWebhookWorker, type WebhookWorkerDeps } from "#lib/domain/webhooks/webhook-worker.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { Arrivals } from "#tests/support/wake-ups.ts";
import { DeliveryBench } from "./delivery-bench.ts";
import { agent, plainSecrets, status } from "./receiver.ts";

const SWEEP_MS = 60_000;
/** The timers of an idle worker: the sweep and the probe of the listening connection. */
const IDLE = 2;

const { changes, ...base } = await followedDatabaseOfFile("webhook_deliveries");
const bench = new DeliveryBench(base);

/** A worker with a clock of its own. */
async function worker(t: TestContext, more: Partial<WebhookWorkerDeps> = {}) {
  const clock = openManualClock();
  const started = await startWebhookWorker({
    database: base.database,
    secrets: plainSecrets,
    agent,
    log: pino({ level: "silent" }),
    sweepEveryMs: SWEEP_MS,
    ...clock,
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= started.stop());
  t.after(stop);
  return { clock, stop };
}

const deliveryOf = async (eventId: number) => (await bench.rowsOf(eventId))[0]!;
const untilDelivered = (...eventIds: number[]) =>
  changes.until("all deliveries", async () => {
    const rows = await Promise.all(eventIds.map(deliveryOf));
    return rows.every((row) => row.status === "delivered");
  });
const ids = () => bench.receiver.received.map(({ id }) => id);

test("delivers a verified event after its transaction, without a sweep", async (t) => {
  const { clock } = await worker(t);
  const owner = await bench.owner();
  const event = await base.db.transaction(async (tx) => {
    const raw = { ...owner, type: "payment_link_completed", dataJson: '{"a":1.0}', txHashes: [] } as const;
    const emitted = await emitRawEvent(tx, raw, new Date());
    await clock.advance(SWEEP_MS);
    await clock.untilAsleep(IDLE);
    assert.deepEqual(ids(), [], "a sweep finds nothing before the commit");
    return emitted;
  });
  await untilDelivered(event.id);
  const [got] = bench.receiver.received;
  assert.equal(got?.verified, true);
  assert.ok(got?.body.endsWith('"data":{"a":1.0}}'));
});

test("makes the next attempt when it is due", async (t) => {
  const { clock } = await worker(t);
  bench.receiver.reply(status(500), status(200));
  const event = await bench.emit(await bench.owner());
  await changes.until("the first attempt", async () => (await deliveryOf(event.id)).lastStatus === 500);
  await clock.untilAsleep(IDLE);
  await clock.advance(SWEEP_MS);
  await untilDelivered(event.id);
  const [first, second, ...others] = bench.receiver.received;
  assert.deepEqual(others, []);
  assert.equal(first?.id, second?.id);
  assert.equal(second?.verified, true);
});

test("the sweep finds an event whose notification no worker received", async (t) => {
  const event = await bench.emit(await bench.owner());
  await worker(t);
  await untilDelivered(event.id);
});

test("stopping aborts a hanging request, and the next worker delivers it", async (t) => {
  bench.receiver.reply(() => {}, status(200));
  const first = await worker(t);
  const event = await bench.emit(await bench.owner());
  await bench.receiver.arrived(1);
  await first.stop();
  assert.equal((await deliveryOf(event.id)).attempts, 0);
  await worker(t);
  await untilDelivered(event.id);
  assert.deepEqual(ids(), [`evt_${event.id}`, `evt_${event.id}`]);
});

test("a worker recovers after its connections are cut", async (t) => {
  const lines = new Arrivals<string>();
  // The worker's own pool, so that only its connections are cut.
  const cut = openDatabase(base.url, { applicationName: "cut" });
  const { clock, stop } = await worker(t, { database: cut, log: pino({}, { write: lines.add }) });
  t.after(async () => {
    await stop();
    await cut.close();
  });
  await clock.untilAsleep(IDLE);
  await base.db.execute(
    sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and application_name in ('cut', 'paylink listener')`,
  );
  await lines.until("the loss of the connection", () => lines.all.some((line) => line.includes("lost")));
  const event = await bench.emit(await bench.owner());
  // The first pause before a new connection.
  await clock.advance(100);
  await untilDelivered(event.id);
});
