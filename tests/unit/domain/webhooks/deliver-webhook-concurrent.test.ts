/** A delivery while something else changes its endpoint or its row: the operator, other workers, a shutdown. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { releaseClaims } from "#lib/domain/webhooks/delivery-store.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { setEndpointUrl } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { aReceiver, type Reply, status } from "./receiver.ts";

const bench = await openDeliveryBench();

/**
 * A delivery whose endpoint changes to another receiver, which answers 200, during the request to the old
 * one. Calls `more` at that time.
 */
async function movedMeanwhile(t: TestContext, reply: Reply, more: { failingSince?: Date } = {}) {
  const fresh = await aReceiver(t, bench.receiver.secret);
  const delivery = await bench.due();
  const { endpointId } = delivery;
  bench.receiver.reply(async (response, request) => {
    await bench.db.transaction(async (tx) => {
      await updateEndpoint(actOf(tx, delivery.merchantId, { env: delivery.env, now: bench.now }), {
        id: endpointId,
        url: fresh.url,
      });
      await tx
        .update(webhookEndpoints)
        .set({ updatedAt: bench.now, ...more })
        .where(eq(webhookEndpoints.id, endpointId));
    });
    reply(response, request);
  });
  await bench.deliver(delivery.id);
  return { ...delivery, fresh };
}

for (const code of [410, 500]) {
  test(`a ${code} of the old address does not affect the new one, which gets the event at once`, async (t) => {
    const { id, endpointId, fresh } = await movedMeanwhile(t, status(code));
    const moved = await bench.endpoint(endpointId);
    assert.deepEqual([moved.url, moved.disabledAt, moved.failingSince], [fresh.url, null, null]);
    assert.equal((await bench.row(id)).lastError, `answered ${code}`);
    await bench.deliver(id);
    assert.deepEqual([bench.receiver.received.length, fresh.received.length], [1, 1]);
    assert.equal((await bench.row(id)).status, "delivered");
  });
}

test("an event that the old address accepts is delivered, and does not affect the new one", async (t) => {
  const { id, endpointId } = await movedMeanwhile(t, status(200), { failingSince: bench.now });
  assert.equal((await bench.row(id)).status, "delivered");
  assert.deepEqual((await bench.endpoint(endpointId)).failingSince, bench.now);
});

test("an endpoint without an address at the time of the answer has its deliveries failed, and stays enabled", async () => {
  bench.receiver.reply(async (response) => {
    await bench.db.transaction((tx) => setEndpointUrl(tx, { merchantId, env: "test", url: null }));
    response.writeHead(410).end();
  });
  const { id, endpointId, merchantId } = await bench.due();
  await bench.deliver(id);
  await bench.deliver(id);
  const given = await bench.row(id);
  assert.deepEqual([given.status, given.lastError], ["failed", "endpoint disabled"]);
  assert.equal((await bench.endpoint(endpointId)).disabledAt, null);
});

test("exactly one of many concurrent workers sends a delivery", async () => {
  const { id } = await bench.due();
  await Promise.all(Array.from({ length: 8 }, () => bench.deliver(id)));
  assert.equal(bench.receiver.received.length, 1);
  assert.equal((await bench.row(id)).attempts, 1);
});

test("no transaction is open during the request", async () => {
  const open: number[] = [];
  bench.receiver.reply(async (response) => {
    const { rows } = await bench.db.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`,
    );
    open.push(rows[0]!.n);
    response.end();
  });
  const { id } = await bench.due();
  await bench.deliver(id);
  assert.deepEqual(open, [0]);
});

test("a claim excludes other workers for the timeout and ten seconds, then the delivery is claimed again", async () => {
  const { id } = await bench.due();
  const aborted = new AbortController();
  // A worker that dies between the request and storing its result.
  const dying = bench.deps({
    timeoutMs: 15_000,
    db: new Proxy(bench.db, {
      get: (target, key) => {
        if (key === "_" && bench.receiver.received.length > 0) throw new Error("killed");
        return Reflect.get(target, key);
      },
    }),
    signal: aborted.signal,
  });
  await assert.rejects(bench.deliver(id, dying), /killed/);
  assert.equal(bench.receiver.received.length, 1);

  bench.advance(24.9);
  await bench.deliver(id);
  assert.equal(bench.receiver.received.length, 1);
  bench.advance(0.1);
  await bench.deliver(id);
  const [first, second, ...others] = bench.receiver.received;
  assert.deepEqual(others, []);
  assert.deepEqual([second?.id, second?.body, second?.verified], [first?.id, first?.body, true]);
  assert.equal((await bench.row(id)).status, "delivered");
});

test("a worker that shuts down releases its attempt", async () => {
  const stopping = new AbortController();
  bench.receiver.reply(() => stopping.abort());
  const { id } = await bench.due();
  await bench.deliver(id, bench.deps({ signal: stopping.signal }));
  const waiting = await bench.row(id);
  assert.equal(waiting.attempts, 0);
  assert.equal(waiting.claimedUntil, null);
  bench.receiver.reply(status(200));
  await bench.deliver(id);
  assert.equal((await bench.row(id)).status, "delivered");
});

test("releasing claims changes none that another worker has started meanwhile, or that is delivered", async () => {
  const owner = await bench.owner();
  for (let n = 0; n < 3; n++) await bench.emit(owner);
  const deps = bench.deps({ timeoutMs: 15_000 });
  const { claimed } = await claimDeliveries(deps, owner.endpointId, 10);
  const [mine, theirs, done] = claimed.map(({ id }) => id);
  await bench.db.update(webhookDeliveries).set({ attempts: 2 }).where(eq(webhookDeliveries.id, theirs!));
  await bench.db
    .update(webhookDeliveries)
    .set({ status: "delivered" })
    .where(eq(webhookDeliveries.id, done!));
  await releaseClaims(bench.db, claimed, bench.now);
  const rows = await Promise.all([mine!, theirs!, done!].map((id) => bench.row(id)));
  assert.deepEqual(
    rows.map(({ attempts, claimedUntil }) => [attempts, claimedUntil === null]),
    [
      [0, true],
      [2, false],
      [1, false],
    ],
  );
});

test("a worker with an expired claim does not undo a later delivery", async () => {
  const { id } = await bench.due();
  bench.receiver.reply(async (response) => {
    // While the first request hangs, its claim expires and another worker delivers.
    bench.advance(60);
    await bench.deliver(id);
    response.writeHead(500).end();
  }, status(200));
  await bench.deliver(id);
  const done = await bench.row(id);
  assert.equal(done.status, "delivered");
  assert.equal(done.attempts, 2);
});

test("a worker with an expired claim does not change a later schedule", async () => {
  const { id } = await bench.due();
  let scheduled: Date | null = null;
  bench.receiver.reply(
    async (response) => {
      bench.advance(60);
      await bench.deliver(id);
      scheduled = (await bench.row(id)).nextAttemptAt;
      response.writeHead(500).end();
    },
    status(503, { "retry-after": "900" }),
  );
  await bench.deliver(id);
  const waiting = await bench.row(id);
  assert.equal(waiting.lastError, "answered 503");
  assert.deepEqual(waiting.nextAttemptAt, scheduled);
  assert.equal(waiting.attempts, 2);
});

test("a worker that was frozen after its claim sends nothing once the claim has expired", async () => {
  const { id, endpointId } = await bench.due();
  const { claimed } = await claimDeliveries(bench.deps(), endpointId, 1);
  bench.advance(30);
  await bench.deliver(id);
  assert.equal(bench.receiver.received.length, 1, "another worker claims it and sends it");
  for (const one of claimed) await (await deliverWebhook(bench.deps(), one)).stored;
  assert.equal(bench.receiver.received.length, 1);
  assert.equal((await bench.row(id)).status, "delivered");
});
