import assert from "node:assert/strict";
import { after, before, beforeEach, type TestContext, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import {
  attemptCounter,
  claimDeliveries,
  type DeliverDeps,
  deliverWebhook,
} from "#lib/domain/webhooks/deliver-webhook.ts";
import { signWebhook } from "#lib/domain/webhooks/send-request.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { setEndpointUrl, updateEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import {
  deliverDeps,
  merchantWithEndpoint,
  type Receiver,
  type Reply,
  startReceiver,
  status,
} from "./receiver.ts";

let base: TestDatabase;
let receiver: Receiver;
/** The clock of the code under test. It starts at the real time, because the verifying package uses that. */
let now: Date;

before(async () => {
  base = await testDatabase();
});
after(() => base.close());

beforeEach(async (t) => {
  now = new Date();
  receiver = await startReceiver();
  (t as TestContext).after(() => receiver.close());
});

const deps = (more: Partial<DeliverDeps> = {}) => ({ ...deliverDeps(base.db, () => now), ...more });

/** Creates a due delivery of an event with this data, for a new merchant. */
async function due(dataJson = '{"refid":"x"}', url: string = receiver.url) {
  const { merchantId, endpointId } = await merchantWithEndpoint(base.db, { url, secret: receiver.secret });
  const event = await base.db.transaction((tx) =>
    emitRawEvent(
      tx,
      { merchantId, env: "test", type: "payment_link_completed", dataJson, txHashes: [] },
      now,
    ),
  );
  const [row] = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, event.id));
  return { id: row!.id, eventId: event.id, endpointId, merchantId };
}

async function row(id: number) {
  const [found] = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
  return found!;
}

/** What a worker does after a notification of the delivery's endpoint. */
async function deliver(using: DeliverDeps, id: number): Promise<void> {
  const { endpointId } = await row(id);
  const { claimed } = await claimDeliveries(using, endpointId, 1);
  for (const one of claimed) await deliverWebhook(using, one);
}

async function endpoint(id: number) {
  const [found] = await base.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  return found!;
}

const ANOTHER_KEY = {
  open: () => {
    throw new Error("another key");
  },
};

const advance = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

const secondsAhead = (at: Date | null) => (at!.getTime() - now.getTime()) / 1_000;

test("delivers a signed event with metadata byte for byte", async () => {
  const metadata = '{ "order" : 12345678901234567890, "rate":1.50, "note":"caf\\u00e9 ☕ \\/", "k":1,"k":2 }';
  const { id, eventId } = await due(`{"refid":"x","metadata":${metadata}}`);
  await deliver(deps(), id);
  const [got, ...others] = receiver.received;
  assert.deepEqual(others, []);
  assert.equal(got?.verified, true);
  assert.equal(got?.id, `evt_${eventId}`);
  assert.ok(got?.body.endsWith(`"metadata":${metadata}}}`));
  assert.equal(got?.headers["content-type"], "application/json");
  const done = await row(id);
  assert.equal(done.status, "delivered");
  assert.equal(done.attempts, 1);
  assert.equal(done.lastStatus, 200);
  assert.equal(done.nextAttemptAt, null);
  assert.equal(done.claimedUntil, null);
});

test("does not send a delivered event again", async () => {
  const { id } = await due();
  await deliver(deps(), id);
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 1);
});

test("retries after a 500 on schedule with the same id, a new timestamp and signature", async () => {
  receiver.reply(status(500), status(200));
  const { id } = await due();
  await deliver(deps(), id);
  const waiting = await row(id);
  assert.equal(waiting.status, "due");
  assert.equal(waiting.lastError, "answered 500");
  assert.ok(secondsAhead(waiting.nextAttemptAt) >= 5 && secondsAhead(waiting.nextAttemptAt) <= 5.5);

  advance(4.9);
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 1, "not before its time");

  advance(0.6);
  await deliver(deps(), id);
  const [first, second] = receiver.received;
  assert.equal(second?.id, first?.id);
  assert.equal(second?.body, first?.body);
  assert.equal(second?.verified, true);
  assert.ok(Number(second?.timestamp) >= Number(first?.timestamp) + 5);
  assert.notEqual(second?.signature, first?.signature);
  assert.equal((await row(id)).status, "delivered");
});

test("makes ten attempts over three days to an endpoint that never recovers, each with a new signature", async () => {
  receiver.reply(status(500));
  const { id } = await due();
  const started = now;
  for (let attempt = 1; attempt <= 10; attempt++) {
    await deliver(deps(), id);
    const current = await row(id);
    assert.equal(current.attempts, attempt);
    if (current.nextAttemptAt) now = current.nextAttemptAt;
  }
  assert.equal((await row(id)).status, "failed");
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 10);
  const hours = (now.getTime() - started.getTime()) / 3_600_000;
  assert.ok(hours >= 75 && hours <= 84, `${hours} hours`);
  for (const got of receiver.received) {
    assert.equal(got.signature, signWebhook(receiver.secret, got.id, Number(got.timestamp), got.body));
  }
});

test("a 410 disables the endpoint and ends its deliveries", async () => {
  receiver.reply(status(410));
  const { id, endpointId, eventId } = await due();
  const [waiting] = await base.db
    .insert(webhookDeliveries)
    .values({ eventId, endpointId, nextAttemptAt: now })
    .returning();
  await deliver(deps(), id);
  assert.equal((await row(id)).status, "failed");
  assert.deepEqual((await endpoint(endpointId)).disabledAt, now);

  await deliver(deps(), waiting!.id);
  const dropped = await row(waiting!.id);
  assert.equal(dropped.status, "failed");
  assert.equal(dropped.lastError, "endpoint disabled");
  assert.equal(receiver.received.length, 1);
});

for (const code of [301, 302, 303, 307, 308]) {
  test(`does not follow a redirect ${code}, and fails the attempt`, async () => {
    receiver.reply(status(code, { location: `${receiver.url}/elsewhere` }));
    const { id } = await due();
    await deliver(deps(), id);
    assert.equal(receiver.received.length, 1);
    assert.equal((await row(id)).lastError, `answered ${code}`);
    assert.equal((await row(id)).status, "due");
  });
}

test("waits for the Retry-After of a 503", async () => {
  receiver.reply(status(503, { "retry-after": "900" }));
  const { id } = await due();
  await deliver(deps(), id);
  assert.equal(secondsAhead((await row(id)).nextAttemptAt), 900);
});

test("waits for the Retry-After of a 429 that is a date", async () => {
  const at = new Date(Math.ceil(now.getTime() / 1_000) * 1_000 + 60_000);
  receiver.reply(status(429, { "retry-after": at.toUTCString() }));
  const { id } = await due();
  await deliver(deps(), id);
  assert.deepEqual((await row(id)).nextAttemptAt, at);
});

test("aborts a hanging request at the timeout and retries it", async () => {
  receiver.reply(() => {});
  const { id } = await due();
  await deliver(deps({ timeoutMs: 100 }), id);
  const waiting = await row(id);
  assert.equal(waiting.lastError, "timeout");
  assert.equal(waiting.lastStatus, null);
  assert.equal(waiting.status, "due");
});

test("a 200 whose body never arrives is a delivery, within the timeout", async () => {
  receiver.reply((response) => {
    response.writeHead(200);
    response.write("{");
  });
  const { id } = await due();
  await deliver(deps({ timeoutMs: 200 }), id);
  assert.equal((await row(id)).status, "delivered");
});

test("reads little more than 64 KiB of an endless body", async () => {
  let written = 0;
  const closed = new Promise<void>((resolve) => {
    receiver.reply((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(16 * 1024, "x");
      const pump = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on("drain", pump);
      response.once("close", resolve);
      pump();
    });
  });
  const { id } = await due();
  await deliver(deps({ timeoutMs: 60_000 }), id);
  await closed;
  assert.equal((await row(id)).status, "delivered");
  // The buffers of the two kernels are outside our control.
  assert.ok(written < 16 * 1024 * 1024, `${written} bytes`);
});

test("a refused connection is a failed attempt", async () => {
  const { id } = await due("{}", "http://127.0.0.1:1/hook");
  await deliver(deps(), id);
  const waiting = await row(id);
  assert.equal(waiting.status, "due");
  assert.ok(waiting.lastError);
  assert.ok(!waiting.lastError.includes("127.0.0.1"));
});

test("an invalid address is a failed attempt", async () => {
  const { id } = await due("{}", "not an address");
  await deliver(deps(), id);
  assert.equal((await row(id)).status, "due");
});

test("an unreadable secret sends nothing and uses no attempt: it is tried again after five minutes", async () => {
  const { id, endpointId } = await due();
  const unsigned = async () =>
    (await attemptCounter.get()).values.find(({ labels }) => labels.outcome === "unsigned")?.value ?? 0;
  const counted = await unsigned();
  await deliver(deps({ secrets: ANOTHER_KEY }), id);
  assert.equal(receiver.received.length, 0);
  const waiting = await row(id);
  assert.deepEqual(
    [waiting.status, waiting.attempts, waiting.claimedUntil, secondsAhead(waiting.nextAttemptAt)],
    ["due", 0, null, 300],
  );
  assert.equal(waiting.lastError, "secret cannot be opened");
  assert.equal((await endpoint(endpointId)).failingSince, null);
  assert.equal(await unsigned(), counted + 1, "the alert hears of it");

  advance(300);
  await deliver(deps(), id);
  const done = await row(id);
  assert.deepEqual([done.status, done.attempts, done.lastError], ["delivered", 1, null]);
  assert.equal(receiver.received.length, 1);
});

/**
 * A delivery whose endpoint changes to another receiver, which answers 200, during the request to the old
 * one. Calls `more` at that time.
 */
async function movedMeanwhile(t: TestContext, reply: Reply, more: { failingSince?: Date } = {}) {
  const fresh = await startReceiver(receiver.secret);
  t.after(() => fresh.close());
  const delivery = await due();
  const { endpointId } = delivery;
  receiver.reply(async (response, request) => {
    await base.db.transaction(async (tx) => {
      await updateEndpoint(tx, endpointId, { url: fresh.url }, now);
      await tx
        .update(webhookEndpoints)
        .set({ updatedAt: now, ...more })
        .where(eq(webhookEndpoints.id, endpointId));
    });
    reply(response, request);
  });
  await deliver(deps(), delivery.id);
  return { ...delivery, fresh };
}

for (const code of [410, 500]) {
  test(`a ${code} of the old address does not affect the new one, which gets the event at once`, async (t) => {
    const { id, endpointId, fresh } = await movedMeanwhile(t, status(code));
    const moved = await endpoint(endpointId);
    assert.deepEqual([moved.url, moved.disabledAt, moved.failingSince], [fresh.url, null, null]);
    assert.equal((await row(id)).lastError, `answered ${code}`);
    await deliver(deps(), id);
    assert.deepEqual([receiver.received.length, fresh.received.length], [1, 1]);
    assert.equal((await row(id)).status, "delivered");
  });
}

test("an event that the old address accepts is delivered, and does not affect the new one", async (t) => {
  const { id, endpointId } = await movedMeanwhile(t, status(200), { failingSince: now });
  assert.equal((await row(id)).status, "delivered");
  assert.deepEqual((await endpoint(endpointId)).failingSince, now);
});

test("an endpoint without an address at the time of the answer has its deliveries failed, and stays enabled", async () => {
  receiver.reply(async (response) => {
    await base.db.transaction((tx) => setEndpointUrl(tx, { merchantId, env: "test", url: null }));
    response.writeHead(410).end();
  });
  const { id, endpointId, merchantId } = await due();
  await deliver(deps(), id);
  await deliver(deps(), id);
  const given = await row(id);
  assert.deepEqual([given.status, given.lastError], ["failed", "endpoint disabled"]);
  assert.equal((await endpoint(endpointId)).disabledAt, null);
});

test("exactly one of many concurrent workers sends a delivery", async () => {
  const { id } = await due();
  await Promise.all(Array.from({ length: 8 }, () => deliver(deps(), id)));
  assert.equal(receiver.received.length, 1);
  assert.equal((await row(id)).attempts, 1);
});

test("no transaction is open during the request", async () => {
  const open: number[] = [];
  receiver.reply(async (response) => {
    const { rows } = await base.db.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`,
    );
    open.push(rows[0]!.n);
    response.end();
  });
  const { id } = await due();
  await deliver(deps(), id);
  assert.deepEqual(open, [0]);
});

test("a claim excludes other workers for the timeout and ten seconds, then the delivery is claimed again", async () => {
  const { id } = await due();
  const aborted = new AbortController();
  // A worker that dies between the request and storing its result.
  const dying = deps({
    timeoutMs: 15_000,
    db: new Proxy(base.db, {
      get: (target, key) => {
        if (key === "execute" && receiver.received.length > 0) throw new Error("killed");
        return Reflect.get(target, key);
      },
    }),
    signal: aborted.signal,
  });
  await assert.rejects(deliver(dying, id), /killed/);
  assert.equal(receiver.received.length, 1);

  advance(24.9);
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 1);
  advance(0.1);
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 2);
  assert.equal(receiver.received[1]?.id, receiver.received[0]?.id);
  assert.equal((await row(id)).status, "delivered");
});

test("a worker that shuts down releases its attempt", async () => {
  const stopping = new AbortController();
  receiver.reply(() => stopping.abort());
  const { id } = await due();
  await deliver(deps({ signal: stopping.signal }), id);
  const waiting = await row(id);
  assert.equal(waiting.attempts, 0);
  assert.equal(waiting.claimedUntil, null);
  receiver.reply(status(200));
  await deliver(deps(), id);
  assert.equal((await row(id)).status, "delivered");
});

test("a worker with an expired claim does not undo a later delivery", async () => {
  const { id } = await due();
  receiver.reply(async (response) => {
    // While the first request hangs, its claim expires and another worker delivers.
    advance(60);
    await deliver(deps(), id);
    response.writeHead(500).end();
  }, status(200));
  await deliver(deps(), id);
  const done = await row(id);
  assert.equal(done.status, "delivered");
  assert.equal(done.attempts, 2);
});

test("a worker with an expired claim does not change a later schedule", async () => {
  const { id } = await due();
  let scheduled: Date | null = null;
  receiver.reply(
    async (response) => {
      advance(60);
      await deliver(deps(), id);
      scheduled = (await row(id)).nextAttemptAt;
      response.writeHead(500).end();
    },
    status(503, { "retry-after": "900" }),
  );
  await deliver(deps(), id);
  const waiting = await row(id);
  assert.equal(waiting.lastError, "answered 503");
  assert.deepEqual(waiting.nextAttemptAt, scheduled);
  assert.equal(waiting.attempts, 2);
});
