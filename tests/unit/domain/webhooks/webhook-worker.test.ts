import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, beforeEach, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { eq, sql } from "drizzle-orm";
import { pino } from "pino";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { startWebhookWorker, type WebhookWorkerDeps } from "#lib/domain/webhooks/webhook-worker.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import {
  agent,
  merchantWithEndpoint,
  plainSecrets,
  type Receiver,
  startReceiver,
  status,
} from "./receiver.ts";

let base: TestDatabase;
let receiver: Receiver;

before(async () => {
  base = await testDatabase();
});
after(() => base.close());
beforeEach(async (t) => {
  receiver = await startReceiver();
  (t as TestContext).after(() => receiver.close());
});

async function until(condition: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, "the condition came in time");
    await pause(10);
  }
}

async function worker(t: TestContext, more: Partial<WebhookWorkerDeps> = {}) {
  const started = await startWebhookWorker({
    database: base.database,
    secrets: plainSecrets,
    agent,
    log: pino({ level: "silent" }),
    sweepEveryMs: 50,
    ...more,
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= started.stop());
  t.after(stop);
  return { stop };
}

async function emit(dataJson = "{}") {
  const { merchantId } = await merchantWithEndpoint(base.db, receiver);
  return base.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type: "payment_link_completed", dataJson, txHashes: [] },
      new Date(),
    ),
  );
}

async function delivery(eventId: number) {
  const [row] = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, eventId));
  return row!;
}

const delivered = async (eventId: number) => (await delivery(eventId)).status === "delivered";

test("delivers a verified event at once, after its transaction", async (t) => {
  await worker(t, { sweepEveryMs: 60_000 });
  const { merchantId } = await merchantWithEndpoint(base.db, receiver);
  let committedAt = 0;
  const event = await base.db.transaction(async (tx) => {
    const emitted = await emitRawEvent(
      tx,
      { merchantId, env: "test", type: "payment_link_completed", dataJson: '{"a":1.0}', txHashes: [] },
      new Date(),
    );
    await tx.execute(sql`select pg_sleep(0.2)`);
    assert.equal(receiver.received.length, 0);
    committedAt = Date.now();
    return emitted;
  });
  await until(() => delivered(event.id));
  assert.ok(Date.now() - committedAt < 2_000);
  assert.equal(receiver.received[0]?.verified, true);
  assert.ok(receiver.received[0]?.body.endsWith('"data":{"a":1.0}}'));
});

test("never delivers an event whose transaction is rolled back", async (t) => {
  await worker(t);
  const { merchantId } = await merchantWithEndpoint(base.db, receiver);
  const event = {
    merchantId,
    env: "test",
    type: "payment_link_failed",
    dataJson: "{}",
    txHashes: [],
  } as const;
  await assert.rejects(
    base.db.transaction(async (tx) => {
      await emitRawEvent(tx, event, new Date());
      throw new Error("rolled back");
    }),
  );
  // The next event of the same endpoint arrives, and it is the only one.
  const next = await base.db.transaction((tx) => emitRawEvent(tx, event, new Date()));
  await until(() => delivered(next.id));
  assert.deepEqual(
    receiver.received.map((got) => got.id),
    [`evt_${next.id}`],
  );
});

test("makes the next attempt when it is due", async (t) => {
  let ahead = 0;
  await worker(t, { now: () => new Date(Date.now() + ahead) });
  receiver.reply(status(500), status(200));
  const event = await emit();
  await until(async () => (await delivery(event.id)).lastStatus === 500);
  ahead = 6_000;
  await until(() => delivered(event.id));
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[0]?.id, receiver.received[1]?.id);
  assert.equal(receiver.received[1]?.verified, true);
});

test("the sweep finds an event whose notification no worker received", async (t) => {
  const event = await emit();
  await worker(t);
  await until(() => delivered(event.id));
});

test("two workers deliver each of many events once", async (t) => {
  await worker(t);
  await worker(t);
  const { merchantId } = await merchantWithEndpoint(base.db, receiver);
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      base.db.transaction((tx) =>
        emitRawEvent(
          tx,
          { merchantId, env: "test", type: "deposit_credited", dataJson: String(n), txHashes: [] },
          new Date(),
        ),
      ),
    ),
  );
  await until(async () => (await Promise.all(ids.map((event) => delivered(event.id)))).every(Boolean));
  assert.deepEqual(
    receiver.received.map((got) => got.id).sort(),
    ids.map((event) => `evt_${event.id}`).sort(),
  );
});

test("stopping aborts a hanging request, and the next worker delivers it", async (t) => {
  receiver.reply(() => {}, status(200));
  const first = await worker(t);
  const event = await emit();
  await until(() => receiver.received.length === 1);
  await first.stop();
  assert.equal((await delivery(event.id)).attempts, 0);
  await worker(t);
  await until(() => delivered(event.id));
  assert.equal(receiver.received[1]?.id, receiver.received[0]?.id);
});

test("a worker recovers after its connections are cut, also right after its start", async (t) => {
  // The worker's own pool, so that only its connections are cut.
  const cut = openDatabase(base.url, { applicationName: "cut" });
  const { stop } = await worker(t, { database: cut });
  t.after(async () => {
    await stop();
    await cut.close();
  });
  await until(async () => (await listeners()) > 0);
  await base.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name in ('cut', 'paylink listener')`,
  );
  const event = await emit();
  // An attempt whose result could not be stored is repeated after its claim expires.
  await until(() => delivered(event.id), 60_000);
});

async function listeners(): Promise<number> {
  const { rows } = await base.db.execute<{ n: number }>(
    sql`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`,
  );
  return rows[0]!.n;
}

test("after a worker is killed during a delivery, the next one sends it with the same webhook-id", async (t) => {
  receiver.reply(() => {}, status(200));
  const script = fileURLToPath(new URL("./worker-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, base.url, "15000"], { stdio: "inherit" });
  t.after(() => child.kill("SIGKILL"));
  const event = await emit('{"metadata":{"n":1.00}}');
  await until(() => receiver.received.length === 1);
  child.kill("SIGKILL");
  await once(child, "exit");
  const left = await delivery(event.id);
  assert.equal(left.status, "due");
  assert.ok(left.claimedUntil!.getTime() - Date.now() <= 30_000, "the lease ends within thirty seconds");

  // The next worker's clock is after the end of the claim.
  await worker(t, { now: () => new Date(Date.now() + 26_000) });
  await until(() => delivered(event.id));
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[1]?.id, receiver.received[0]?.id);
  assert.equal(receiver.received[1]?.body, receiver.received[0]?.body);
  assert.equal(receiver.received[1]?.verified, true);
});
