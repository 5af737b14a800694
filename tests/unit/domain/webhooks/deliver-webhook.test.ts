import assert from "node:assert/strict";
import { test } from "node:test";
import { attemptCounter } from "#lib/domain/webhooks/deliver-webhook.ts";
import { signWebhook } from "#lib/domain/webhooks/sign-webhook.ts";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { status } from "./receiver.ts";

const bench = await openDeliveryBench();

const ANOTHER_KEY = {
  open: () => {
    throw new Error("another key");
  },
};

test("delivers a signed event with metadata byte for byte", async () => {
  const metadata = '{ "order" : 12345678901234567890, "rate":1.50, "note":"caf\\u00e9 ☕ \\/", "k":1,"k":2 }';
  const { id, eventId } = await bench.due(`{"refid":"x","metadata":${metadata}}`);
  await bench.deliver(id);
  const [got, ...others] = bench.receiver.received;
  assert.deepEqual(others, []);
  assert.equal(got?.verified, true);
  assert.equal(got?.id, `evt_${eventId}`);
  assert.ok(got?.body.endsWith(`"metadata":${metadata}}}`));
  assert.equal(got?.headers["content-type"], "application/json");
  const done = await bench.row(id);
  assert.equal(done.status, "delivered");
  assert.equal(done.attempts, 1);
  assert.equal(done.lastStatus, 200);
  assert.equal(done.nextAttemptAt, null);
  assert.equal(done.claimedUntil, null);
});

test("does not send a delivered event again", async () => {
  const { id } = await bench.due();
  await bench.deliver(id);
  await bench.deliver(id);
  assert.equal(bench.receiver.received.length, 1);
});

test("retries after a 500 on schedule with the same id, a new timestamp and signature", async () => {
  bench.receiver.reply(status(500), status(200));
  const { id } = await bench.due();
  await bench.deliver(id);
  const waiting = await bench.row(id);
  assert.equal(waiting.status, "due");
  assert.equal(waiting.lastError, "answered 500");
  assert.ok(
    bench.secondsAhead(waiting.nextAttemptAt) >= 5 && bench.secondsAhead(waiting.nextAttemptAt) <= 5.5,
  );

  bench.advance(4.9);
  await bench.deliver(id);
  assert.equal(bench.receiver.received.length, 1, "not before its time");

  bench.advance(0.6);
  await bench.deliver(id);
  const [first, second] = bench.receiver.received;
  assert.equal(second?.id, first?.id);
  assert.equal(second?.body, first?.body);
  assert.equal(second?.verified, true);
  assert.ok(Number(second?.timestamp) >= Number(first?.timestamp) + 5);
  assert.notEqual(second?.signature, first?.signature);
  assert.equal((await bench.row(id)).status, "delivered");
});

test("makes ten attempts over three days to an endpoint that never recovers, each with a new signature", async () => {
  bench.receiver.reply(status(500));
  const { id } = await bench.due();
  const started = bench.now;
  for (let attempt = 1; attempt <= 10; attempt++) {
    await bench.deliver(id);
    const current = await bench.row(id);
    assert.equal(current.attempts, attempt);
    if (current.nextAttemptAt) bench.now = current.nextAttemptAt;
  }
  assert.equal((await bench.row(id)).status, "failed");
  await bench.deliver(id);
  assert.equal(bench.receiver.received.length, 10);
  const hours = (bench.now.getTime() - started.getTime()) / 3_600_000;
  assert.ok(hours >= 75 && hours <= 84, `${hours} hours`);
  for (const got of bench.receiver.received) {
    assert.equal(got.signature, signWebhook(bench.receiver.secret, got.id, Number(got.timestamp), got.body));
  }
});

test("a 410 disables the endpoint and ends its deliveries", async () => {
  bench.receiver.reply(status(410));
  const { id, endpointId, eventId } = await bench.due();
  const [waiting] = await bench.db
    .insert(webhookDeliveries)
    .values({ eventId, endpointId, nextAttemptAt: bench.now })
    .returning();
  await bench.deliver(id);
  assert.equal((await bench.row(id)).status, "failed");
  assert.deepEqual((await bench.endpoint(endpointId)).disabledAt, bench.now);

  await bench.deliver(waiting!.id);
  const dropped = await bench.row(waiting!.id);
  assert.equal(dropped.status, "failed");
  assert.equal(dropped.lastError, "endpoint disabled");
  assert.equal(bench.receiver.received.length, 1);
});

for (const code of [301, 302, 303, 307, 308]) {
  test(`does not follow a redirect ${code}, and fails the attempt`, async () => {
    bench.receiver.reply(status(code, { location: `${bench.receiver.url}/elsewhere` }));
    const { id } = await bench.due();
    await bench.deliver(id);
    assert.equal(bench.receiver.received.length, 1);
    assert.equal((await bench.row(id)).lastError, `answered ${code}`);
    assert.equal((await bench.row(id)).status, "due");
  });
}

test("waits for the Retry-After of a 503", async () => {
  bench.receiver.reply(status(503, { "retry-after": "900" }));
  const { id } = await bench.due();
  await bench.deliver(id);
  assert.equal(bench.secondsAhead((await bench.row(id)).nextAttemptAt), 900);
});

test("waits for the Retry-After of a 429 that is a date", async () => {
  const at = new Date(Math.ceil(bench.now.getTime() / 1_000) * 1_000 + 60_000);
  bench.receiver.reply(status(429, { "retry-after": at.toUTCString() }));
  const { id } = await bench.due();
  await bench.deliver(id);
  assert.deepEqual((await bench.row(id)).nextAttemptAt, at);
});

test("aborts a hanging request at the timeout and retries it", async () => {
  bench.receiver.reply(() => {});
  const { id } = await bench.due();
  await bench.deliver(id, bench.deps({ timeoutMs: 100 }));
  const waiting = await bench.row(id);
  assert.equal(waiting.lastError, "timeout");
  assert.equal(waiting.lastStatus, null);
  assert.equal(waiting.status, "due");
});

test("a 200 whose body never arrives is a delivery, within the timeout", async () => {
  bench.receiver.reply((response) => {
    response.writeHead(200);
    response.write("{");
  });
  const { id } = await bench.due();
  await bench.deliver(id, bench.deps({ timeoutMs: 500 }));
  assert.equal((await bench.row(id)).status, "delivered");
});

test("the final status counts, not an interim one before it", async () => {
  bench.receiver.reply((response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    response.writeHead(204).end();
  });
  const { id } = await bench.due();
  await bench.deliver(id);
  const done = await bench.row(id);
  assert.deepEqual([done.status, done.lastStatus], ["delivered", 204]);
});

test("reads little more than 64 KiB of an endless body", async () => {
  let written = 0;
  const closed = new Promise<void>((resolve) => {
    bench.receiver.reply((response) => {
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
  const { id } = await bench.due();
  await bench.deliver(id, bench.deps({ timeoutMs: 60_000 }));
  await closed;
  assert.equal((await bench.row(id)).status, "delivered");
  // The buffers of the two kernels are outside our control.
  assert.ok(written < 16 * 1024 * 1024, `${written} bytes`);
});

test("a refused connection is a failed attempt", async () => {
  const { id } = await bench.due("{}", "http://127.0.0.1:1/hook");
  await bench.deliver(id);
  const waiting = await bench.row(id);
  assert.equal(waiting.status, "due");
  assert.ok(waiting.lastError);
  assert.ok(!waiting.lastError.includes("127.0.0.1"));
});

test("an invalid address is a failed attempt", async () => {
  const { id } = await bench.due("{}", "not an address");
  await bench.deliver(id);
  assert.equal((await bench.row(id)).status, "due");
});

test("an unreadable secret sends nothing and uses no attempt: it is tried again after five minutes", async () => {
  const { id, endpointId } = await bench.due();
  const unsigned = async () =>
    (await attemptCounter.get()).values.find(({ labels }) => labels.outcome === "unsigned")?.value ?? 0;
  const counted = await unsigned();
  await bench.deliver(id, bench.deps({ secrets: ANOTHER_KEY }));
  assert.equal(bench.receiver.received.length, 0);
  const waiting = await bench.row(id);
  assert.deepEqual(
    [waiting.status, waiting.attempts, waiting.claimedUntil, bench.secondsAhead(waiting.nextAttemptAt)],
    ["due", 0, null, 300],
  );
  assert.equal(waiting.lastError, "secret cannot be opened");
  assert.equal((await bench.endpoint(endpointId)).failingSince, null);
  assert.equal(await unsigned(), counted + 1, "the alert hears of it");

  bench.advance(300);
  await bench.deliver(id);
  const done = await bench.row(id);
  assert.deepEqual([done.status, done.attempts, done.lastError], ["delivered", 1, null]);
  assert.equal(bench.receiver.received.length, 1);
});
