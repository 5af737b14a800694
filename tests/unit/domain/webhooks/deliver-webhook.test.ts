import assert from "node:assert/strict";
import { test } from "node:test";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { openDeliveryBench } from "./delivery-bench.ts";
import { status, watchHeads } from "./receiver.ts";

const bench = await openDeliveryBench();

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

test("waits for the Retry-After of a 503", async () => {
  bench.receiver.reply(status(503, { "retry-after": "900" }));
  const { id } = await bench.due();
  await bench.deliver(id);
  assert.equal(bench.secondsAhead((await bench.row(id)).nextAttemptAt), 900);
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
  const clock = openManualClock();
  const watched = watchHeads(() => void clock.advance(500));
  await bench.deliver(id, bench.deps({ timeoutMs: 500, sleep: clock.sleep, agent: watched }));
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
