import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { attemptCounter, claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listDueEndpointIds } from "#lib/domain/webhooks/delivery-store.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { createEndpoint, updateEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import {
  deliverDeps,
  merchantWithEndpoint,
  plainSecrets,
  type Receiver,
  startReceiver,
  status,
} from "./receiver.ts";

const HOUR = 3_600_000;
const START = new Date("2026-03-01T00:00:00.000Z");
/** Pauses between attempts in seconds, from docs/decisions.md. */
const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

let base: TestDatabase;
let now: Date;

before(async () => {
  base = await testDatabase();
});
after(() => base.close());

/** Simulates a SECRET_KEY that did not encrypt the secrets. */
let wrongKey = false;
const secrets = {
  open(sealed: Buffer) {
    if (wrongKey) throw new Error("another key");
    return plainSecrets.open(sealed);
  },
};
const deps = () => ({ ...deliverDeps(base.db, () => now), secrets });

/** Delivers everything that is due now, like a worker. */
async function work(): Promise<void> {
  for (const endpointId of await listDueEndpointIds(base.db, { after: 0, limit: 100, now })) {
    let more = true;
    while (more) {
      const found = await claimDeliveries(deps(), endpointId, 10);
      for (const one of found.claimed) await deliverWebhook(deps(), one);
      more = found.more;
    }
  }
}

/** Moves the clock to `until` and stops at every time at which something becomes due. */
async function workUntil(until: Date): Promise<void> {
  for (;;) {
    await work();
    const due = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.status, "due"));
    const next = Math.min(...due.map((row) => row.nextAttemptAt!.getTime()));
    if (next > until.getTime()) break;
    now = new Date(next);
  }
  now = until;
}

async function merchant(...receivers: Receiver[]) {
  const [first, ...others] = receivers as [Receiver, ...Receiver[]];
  const { merchantId, endpointId } = await merchantWithEndpoint(base.db, first);
  for (const { url, secret } of others) {
    await base.db.transaction((tx) =>
      createEndpoint(tx, { merchantId, env: "test", url, sealedSecret: Buffer.from(secret) }),
    );
  }
  return { merchantId, endpointId };
}

const emit = (merchantId: number) =>
  base.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] },
      now,
    ),
  );

async function endpointOf(id: number) {
  const [found] = await base.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  return found!;
}

test("after five days of failures on schedule the endpoint is disabled and the others are notified", async (t) => {
  const [dead, alive] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([dead.close(), alive.close()]));
  dead.reply(status(500));
  now = START;
  const { merchantId, endpointId } = await merchant(dead, alive);
  const first = await emit(merchantId);
  const ids = [first.id];
  for (let hour = 6; hour <= 126; hour += 6) {
    await workUntil(new Date(START.getTime() + hour * HOUR));
    ids.push((await emit(merchantId)).id);
  }
  await work();

  // The first event had all its attempts on schedule, and no more.
  const [delivery] = await base.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, first.id))
    .orderBy(asc(webhookDeliveries.endpointId));
  assert.deepEqual([delivery?.endpointId, delivery?.status, delivery?.attempts], [endpointId, "failed", 10]);
  const log = await base.db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, delivery!.id))
    .orderBy(asc(webhookAttempts.id));
  assert.equal(log.length, 10);
  for (const [n, pause] of SCHEDULE.entries()) {
    const waited = (log[n + 1]!.startedAt.getTime() - log[n]!.startedAt.getTime()) / 1_000;
    assert.ok(waited >= pause && waited <= pause * 1.1 + 0.001, `attempt ${n + 2}: ${waited} s`);
  }

  // At the first attempt five days after the first failure.
  const endpoint = await endpointOf(endpointId);
  assert.deepEqual(endpoint.failingSince, START);
  const hours = (endpoint.disabledAt!.getTime() - START.getTime()) / HOUR;
  assert.ok(hours >= 120 && hours <= 126, `${hours} hours`);

  // The other endpoint got every event and the notification.
  const notified = alive.received.map(({ id }) => id);
  for (const id of ids) assert.ok(notified.includes(`evt_${id}`));
  const notices = alive.received.filter(({ body }) => body.includes("webhook_endpoint_disabled"));
  assert.equal(notices.length, 1);
  const { type, timestamp, data } = JSON.parse(notices[0]!.body);
  assert.deepEqual(
    { type, timestamp, data },
    {
      type: "webhook_endpoint_disabled",
      timestamp: endpoint.disabledAt!.toISOString(),
      data: {
        id: endpointId,
        url: dead.url,
        reason: "failing",
        failing_since: START.toISOString(),
        disabled_at: endpoint.disabledAt!.toISOString(),
        environment: "test",
      },
    },
  );

  // The disabled endpoint gets nothing more and has nothing due.
  const before = dead.received.length;
  await emit(merchantId);
  await workUntil(new Date(now.getTime() + 200 * HOUR));
  assert.equal(dead.received.length, before);
  const left = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.status, "due"));
  assert.deepEqual(left, []);

  // An enabled endpoint starts a new schedule.
  await base.db.transaction((tx) => updateEndpoint(tx, endpointId, { enabled: true }, now));
  assert.equal((await endpointOf(endpointId)).failingSince, null);
  dead.reply(status(200));
  const { id } = await emit(merchantId);
  await work();
  assert.equal(dead.received.at(-1)?.id, `evt_${id}`);
});

test("one success within five days keeps the endpoint enabled", async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  receiver.reply(status(503));
  now = START;
  const { merchantId, endpointId } = await merchant(receiver);
  for (let day = 1; day <= 8; day++) {
    await emit(merchantId);
    if (day === 4) receiver.reply(status(200), status(503));
    await workUntil(new Date(START.getTime() + day * 24 * HOUR));
  }
  const endpoint = await endpointOf(endpointId);
  assert.equal(endpoint.disabledAt, null);
  assert.ok(endpoint.failingSince!.getTime() >= START.getTime() + 72 * HOUR);
});

test("six days with a wrong SECRET_KEY lose no event, no attempt and no endpoint", async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  t.after(() => {
    wrongKey = false;
  });
  now = START;
  const { merchantId, endpointId } = await merchant(receiver);
  wrongKey = true;
  const emitted: string[] = [];
  const unsigned = async () =>
    (await attemptCounter.get()).values.find(({ labels }) => labels.outcome === "unsigned")?.value ?? 0;
  for (let n = 0; n < 12; n++) emitted.push(`evt_${(await emit(merchantId)).id}`);
  for (let hour = 0; hour <= 144; hour += 6) {
    now = new Date(START.getTime() + hour * HOUR);
    const counted = await unsigned();
    await work();
    assert.equal((await unsigned()) - counted, 10, "one claim is tried, however much is due");
  }
  const { failingSince, disabledAt } = await endpointOf(endpointId);
  assert.deepEqual([failingSince, disabledAt, receiver.received.length], [null, null, 0]);

  wrongKey = false;
  await workUntil(new Date(now.getTime() + 300_000));
  assert.deepEqual(receiver.received.map(({ id }) => id).sort(), emitted.sort());
  const ours = await base.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId));
  assert.deepEqual(
    ours.map(({ status, attempts }) => [status, attempts]),
    emitted.map(() => ["delivered", 1]),
  );
});

test("a 410 disables at once, and the other endpoints get the reason", async (t) => {
  const [gone, alive] = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all([gone.close(), alive.close()]));
  gone.reply(status(410));
  now = START;
  const { merchantId, endpointId } = await merchant(gone, alive);
  await emit(merchantId);
  await work();
  await work();
  assert.deepEqual((await endpointOf(endpointId)).disabledAt, START);
  const bodies = alive.received.map(({ body }) => JSON.parse(body));
  const notice = bodies.find(({ type }) => type === "webhook_endpoint_disabled");
  assert.deepEqual([notice.data.id, notice.data.reason], [endpointId, "gone"]);
});
