import assert from "node:assert/strict";
import { test } from "node:test";
import { asc, eq } from "drizzle-orm";
import { updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { attemptCounter, claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listDueEndpointIds } from "#lib/domain/webhooks/delivery-store.ts";
import { webhookAttempts, webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { aReceiver, plainSecrets, status } from "./receiver.ts";

const HOUR = 3_600_000;
const START = new Date("2026-03-01T00:00:00.000Z");
/** Pauses between attempts in seconds, from docs/decisions.md. */
const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const bench = await openDeliveryBench(START);

/** Simulates a SECRET_KEY that did not encrypt the secrets. */
let wrongKey = false;
const secrets = {
  open(sealed: Buffer) {
    if (wrongKey) throw new Error("another key");
    return plainSecrets.open(sealed);
  },
};
const deps = () => bench.deps({ secrets });

/** Delivers everything that is due now, like a worker. */
async function work(): Promise<void> {
  for (const endpointId of await listDueEndpointIds(bench.db, { after: 0, limit: 100, now: bench.now })) {
    let more = true;
    while (more) {
      const found = await claimDeliveries(deps(), endpointId, 10);
      for (const one of found.claimed) await (await deliverWebhook(deps(), one)).stored;
      more = found.more;
    }
  }
}

/** Moves the clock to `until` and stops at every time at which something becomes due. */
async function workUntil(until: Date): Promise<void> {
  for (;;) {
    await work();
    const due = await bench.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.status, "due"));
    const next = Math.min(...due.map((row) => row.nextAttemptAt!.getTime()));
    if (next > until.getTime()) break;
    bench.now = new Date(next);
  }
  bench.now = until;
}

const inHours = (hours: number) => new Date(START.getTime() + hours * HOUR);

test("after five days of failures on schedule the endpoint is disabled and the others are notified", async (t) => {
  const [dead, alive] = [await aReceiver(t), bench.receiver];
  dead.reply(status(500));
  const owner = await bench.owner(dead, alive);
  const { endpointId } = owner;
  const first = await bench.emit(owner);
  const ids = [first.id];
  for (let hour = 6; hour <= 126; hour += 6) {
    await workUntil(inHours(hour));
    ids.push((await bench.emit(owner)).id);
  }
  await work();

  // The first event had all its attempts on schedule, and no more.
  const [delivery] = await bench.rowsOf(first.id);
  assert.deepEqual([delivery?.endpointId, delivery?.status, delivery?.attempts], [endpointId, "failed", 10]);
  const log = await bench.db
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
  const endpoint = await bench.endpoint(endpointId);
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
  await bench.emit(owner);
  await workUntil(new Date(bench.now.getTime() + 200 * HOUR));
  assert.equal(dead.received.length, before);
  const left = await bench.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.status, "due"));
  assert.deepEqual(left, []);

  // An enabled endpoint starts a new schedule.
  await bench.db.transaction((tx) =>
    updateEndpoint(actOf(tx, owner.merchantId, { env: owner.env, now: bench.now }), {
      id: endpointId,
      enabled: true,
    }),
  );
  assert.equal((await bench.endpoint(endpointId)).failingSince, null);
  dead.reply(status(200));
  const { id } = await bench.emit(owner);
  await work();
  assert.equal(dead.received.at(-1)?.id, `evt_${id}`);
});

test("one success within five days keeps the endpoint enabled", async () => {
  bench.receiver.reply(status(503));
  const owner = await bench.owner();
  for (let day = 1; day <= 8; day++) {
    await bench.emit(owner);
    if (day === 4) bench.receiver.reply(status(200), status(503));
    await workUntil(inHours(day * 24));
  }
  const endpoint = await bench.endpoint(owner.endpointId);
  assert.equal(endpoint.disabledAt, null);
  assert.ok(endpoint.failingSince!.getTime() >= START.getTime() + 72 * HOUR);
});

test("six days with a wrong SECRET_KEY lose no event, no attempt and no endpoint", async (t) => {
  t.after(() => {
    wrongKey = false;
  });
  const owner = await bench.owner();
  const { endpointId } = owner;
  wrongKey = true;
  const emitted: string[] = [];
  const unsigned = async () =>
    (await attemptCounter.get()).values.find(({ labels }) => labels.outcome === "unsigned")?.value ?? 0;
  for (let n = 0; n < 12; n++) emitted.push(`evt_${(await bench.emit(owner)).id}`);
  for (let hour = 0; hour <= 144; hour += 6) {
    bench.now = inHours(hour);
    const counted = await unsigned();
    await work();
    assert.equal((await unsigned()) - counted, 10, "one claim is tried, however much is due");
  }
  const waiting = await bench.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId));
  assert.ok(waiting.every(({ status, attempts }) => status === "due" && attempts === 0));
  assert.ok(waiting.some(({ lastError }) => lastError === "secret cannot be opened"));
  const { failingSince, disabledAt } = await bench.endpoint(endpointId);
  assert.deepEqual([failingSince, disabledAt, bench.receiver.received.length], [null, null, 0]);

  wrongKey = false;
  await workUntil(new Date(bench.now.getTime() + 300_000));
  assert.deepEqual(bench.receiver.received.map(({ id }) => id).sort(), emitted.sort());
  const ours = await bench.db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId));
  assert.deepEqual(
    ours.map(({ status, attempts }) => [status, attempts]),
    emitted.map(() => ["delivered", 1]),
  );
});

test("a 410 disables at once, and the other endpoints get the reason", async (t) => {
  const gone = await aReceiver(t);
  gone.reply(status(410));
  const owner = await bench.owner(gone, bench.receiver);
  const [, second] = await bench.emitMany(owner, 2);
  await bench.send(owner.endpointId, 1);
  await work();
  const [{ status: left, lastError } = {}] = await bench.rowsOf(second!.id);
  assert.deepEqual([left, lastError, gone.received.length], ["failed", "endpoint disabled", 1]);
  assert.deepEqual((await bench.endpoint(owner.endpointId)).disabledAt, START);
  const bodies = bench.receiver.received.map(({ body }) => JSON.parse(body));
  const notice = bodies.find(({ type }) => type === "webhook_endpoint_disabled");
  assert.deepEqual([notice.data.id, notice.data.reason], [owner.endpointId, "gone"]);
});
