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
/** The clock of the code under test. Starts at the real time, which the verifying package compares with. */
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

/** A due delivery of an event with this data, to a merchant of its own. */
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

/** What a worker does once it was told of the delivery's endpoint. */
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

test("a delivery arrives signed, with metadata byte for byte as it was given", async () => {
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

test("a delivered event is not sent again", async () => {
  const { id } = await due();
  await deliver(deps(), id);
  await deliver(deps(), id);
  assert.equal(receiver.received.length, 1);
});

test("after a 500 it is sent again on schedule: the same id, a fresh timestamp and signature", async () => {
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

test("an endpoint that never recovers gets ten attempts over three days, each signed anew, then none", async () => {
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

test("a 410 disables the endpoint: nothing more is sent there", async () => {
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
  test(`a redirect ${code} is not followed and fails`, async () => {
    receiver.reply(status(code, { location: `${receiver.url}/elsewhere` }));
    const { id } = await due();
    await deliver(deps(), id);
    assert.equal(receiver.received.length, 1);
    assert.equal((await row(id)).lastError, `answered ${code}`);
    assert.equal((await row(id)).status, "due");
  });
}

test("a Retry-After on 503 is waited for", async () => {
  receiver.reply(status(503, { "retry-after": "900" }));
  const { id } = await due();
  await deliver(deps(), id);
  assert.equal(secondsAhead((await row(id)).nextAttemptAt), 900);
});

test("a Retry-After on 429 given as a date is waited for", async () => {
  const at = new Date(Math.ceil(now.getTime() / 1_000) * 1_000 + 60_000);
  receiver.reply(status(429, { "retry-after": at.toUTCString() }));
  const { id } = await due();
  await deliver(deps(), id);
  assert.deepEqual((await row(id)).nextAttemptAt, at);
});

test("a receiver that hangs is given up at the timeout and tried again", async () => {
  receiver.reply(() => {});
  const { id } = await due();
  await deliver(deps({ timeoutMs: 100 }), id);
  const waiting = await row(id);
  assert.equal(waiting.lastError, "timeout");
  assert.equal(waiting.lastStatus, null);
  assert.equal(waiting.status, "due");
});

test("a 200 whose body never comes is a delivery, within the timeout", async () => {
  receiver.reply((response) => {
    response.writeHead(200);
    response.write("{");
  });
  const { id } = await due();
  await deliver(deps({ timeoutMs: 200 }), id);
  assert.equal((await row(id)).status, "delivered");
});

test("of a body without end little more than 64 KiB is read", async () => {
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
  // What the two kernels buffer between us is beyond anybody's reach.
  assert.ok(written < 16 * 1024 * 1024, `${written} bytes`);
});

test("nobody listening is an attempt that failed", async () => {
  const { id } = await due("{}", "http://127.0.0.1:1/hook");
  await deliver(deps(), id);
  const waiting = await row(id);
  assert.equal(waiting.status, "due");
  assert.ok(waiting.lastError);
  assert.ok(!waiting.lastError.includes("127.0.0.1"));
});

test("an address that is none is an attempt that failed", async () => {
  const { id } = await due("{}", "not an address");
  await deliver(deps(), id);
  assert.equal((await row(id)).status, "due");
});

test("a secret that cannot be opened sends nothing and uses up no attempt: it is looked at again in five minutes", async () => {
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
 * A delivery whose endpoint moves to another receiver, which answers 200, while the former one is asked; and meets
 * `more` there.
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
  test(`a ${code} of a former address says nothing of the new one, which is sent the event at once`, async (t) => {
    const { id, endpointId, fresh } = await movedMeanwhile(t, status(code));
    const moved = await endpoint(endpointId);
    assert.deepEqual([moved.url, moved.disabledAt, moved.failingSince], [fresh.url, null, null]);
    assert.equal((await row(id)).lastError, `answered ${code}`);
    await deliver(deps(), id);
    assert.deepEqual([receiver.received.length, fresh.received.length], [1, 1]);
    assert.equal((await row(id)).status, "delivered");
  });
}

test("what a former address takes is delivered, and says nothing of the new one", async (t) => {
  const { id, endpointId } = await movedMeanwhile(t, status(200), { failingSince: now });
  assert.equal((await row(id)).status, "delivered");
  assert.deepEqual((await endpoint(endpointId)).failingSince, now);
});

test("an endpoint without an address by the time of the answer has its deliveries given up, and stays enabled", async () => {
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

test("of many workers at once exactly one sends a delivery", async () => {
  const { id } = await due();
  await Promise.all(Array.from({ length: 8 }, () => deliver(deps(), id)));
  assert.equal(receiver.received.length, 1);
  assert.equal((await row(id)).attempts, 1);
});

test("no transaction is open while the receiver thinks", async () => {
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

test("a claim keeps others away for the timeout and ten seconds, then the delivery is taken up again", async () => {
  const { id } = await due();
  const aborted = new AbortController();
  // A worker that dies between the request and writing down its outcome.
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

test("a worker that shuts down takes its attempt back", async () => {
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

test("a worker that lost its lease does not undo what a later one achieved", async () => {
  const { id } = await due();
  receiver.reply(async (response) => {
    // While the first request hangs, its lease runs out and another worker delivers.
    advance(60);
    await deliver(deps(), id);
    response.writeHead(500).end();
  }, status(200));
  await deliver(deps(), id);
  const done = await row(id);
  assert.equal(done.status, "delivered");
  assert.equal(done.attempts, 2);
});

test("a worker that lost its lease does not reschedule what a later one scheduled", async () => {
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
