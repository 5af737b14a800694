import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { startWebhookWorker, type WebhookWorkerDeps } from "#lib/domain/webhooks/webhook-worker.ts";
import { followedDatabaseOfFile } from "#tests/support/file-database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { Arrivals, WakeUps } from "#tests/support/wake-ups.ts";
import { DeliveryBench, failDue } from "./delivery-bench.ts";
import { agent, aReceiver, plainSecrets, watchHeads } from "./receiver.ts";

/** A time that no test waits for. */
const LONG_MS = 600_000;

const { changes, ...base } = await followedDatabaseOfFile("webhook_deliveries");
const bench = new DeliveryBench(base);

/** Writes again and again, until the connection ends. */
function drip(socket: Socket, next: () => string): void {
  const timer = setInterval(() => socket.write(next()), 50);
  socket.once("close", () => clearInterval(timer));
}

/** Writes as much as the connection takes, until it ends. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", pump);
  pump();
}

/** How faulty receivers answer a request. */
const BAD: Record<string, (socket: Socket) => void> = {
  hangs: () => {},
  "drips its answer's head, a byte at a time": (socket) => {
    const text = `HTTP/1.1 200 OK\r\nx-slow: ${"x".repeat(10_000)}`;
    let at = 0;
    drip(socket, () => text[at++] ?? "x");
  },
  "drips a body": (socket) => {
    socket.write("HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n");
    drip(socket, () => "1\r\nx\r\n");
  },
  "streams without end": (socket) => {
    socket.write("HTTP/1.1 500 No\r\n\r\n");
    flood(socket, Buffer.alloc(64 * 1024, "x"));
  },
  "says 103 for ever": (socket) => drip(socket, () => "HTTP/1.1 103 Early Hints\r\n\r\n"),
  "sends a head without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, `x-more: ${"x".repeat(1_000)}\r\n`);
  },
  resets: (socket) => void socket.resetAndDestroy(),
  "speaks no HTTP": (socket) => void socket.end("220 smtp.example ESMTP\r\n"),
};

async function startBad(t: TestContext, behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const requests = new WakeUps();
  const seen = { requests: 0, most: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.once("data", () => {
      seen.requests += 1;
      // Not when it connects: the end of the connection before it may not be read yet.
      seen.most = Math.max(seen.most, sockets.size);
      behave(socket);
      requests.wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const asked = () => requests.until("a request of the bad receiver", () => seen.requests > 0);
  return { url, secret: generateWebhookSecret(), seen, asked };
}

async function startWorker(t: TestContext, timeoutMs: number, more: Partial<WebhookWorkerDeps> = {}) {
  const started = await startWebhookWorker({
    database: base.database,
    secrets: plainSecrets,
    agent,
    log: pino({ level: "silent" }),
    timeoutMs,
    ...more,
  });
  t.after(async () => {
    await started.stop();
    // Servers of the next tests may get the ports of these receivers.
    await failDue(base.db);
  });
}

for (const [what, behave] of Object.entries(BAD)) {
  test(`a receiver that ${what} delays no other and gets only its share`, async (t) => {
    const bad = await startBad(t, behave);
    await startWorker(t, LONG_MS);
    await bench.emitMany(await bench.owner(bad), 60);
    await bad.asked();
    await bench.emitMany(await bench.owner(), 20);
    await bench.receiver.arrived(20);
    assert.ok(bad.seen.most <= 10, `${bad.seen.most} connections at once`);
  });
}

test("receivers that read slowly leave capacity for one that answers at once", async (t) => {
  const EACH = 40;
  const held: ServerResponse[] = [];
  const requests = new WakeUps();
  for (const slow of [await aReceiver(t), await aReceiver(t)]) {
    slow.reply((response) => {
      held.push(response);
      requests.wake();
    });
    await bench.emitMany(await bench.owner(slow), EACH);
  }
  bench.receiver.reply((response) => {
    response.end();
    requests.wake();
  });
  const right = await bench.owner();
  await startWorker(t, LONG_MS, { limits: { perLane: 2, total: 4, failing: 2 } });
  await requests.until("the slow ones fill every place", () => held.length === 4);
  await bench.emit(right);
  const isServed = () => bench.receiver.received.length > 0;
  let taken = 0;
  // One answer at a time: the worker chooses the next request.
  while (!isServed() && taken < EACH) {
    held.shift()?.writeHead(200).end();
    taken += 1;
    await requests.until("the next request", () => held.length === 4 || isServed());
  }
  assert.ok(taken < EACH, `still waiting after ${taken} of theirs`);
});

/** How the attempts end at once, and at the timeout. */
const AT_ONCE = {
  "streams without end": "answered 500",
  "sends a head without end": "UND_ERR_HEADERS_OVERFLOW",
  resets: "ECONNRESET",
  "speaks no HTTP": "request failed",
};
const AT_TIMEOUT = {
  hangs: "timeout",
  "drips its answer's head, a byte at a time": "timeout",
  "drips a body": "answered 500",
  "says 103 for ever": "timeout",
};

test("each of them is a failed attempt within the timeout", async (t) => {
  const all = await Promise.all(
    Object.entries(BAD).map(async ([what, behave]) => {
      const { asked, ...bad } = await startBad(t, behave);
      const { id } = await bench.emit(await bench.owner(bad));
      return { what, id, asked };
    }),
  );
  const clock = openManualClock();
  const heads = new Arrivals<true>();
  await startWorker(t, 500, { ...clock, agent: watchHeads(() => heads.add(true)) });
  const outcomesOf = async (expected: Readonly<Record<string, string>>) => {
    const outcomes: Record<string, unknown> = {};
    for (const { what, id } of all.filter((one) => one.what in expected)) {
      const row = await changes.until(`an attempt at one that ${what}`, async () => {
        const [found] = await bench.rowsOf(id);
        return found?.lastError === null ? null : found;
      });
      assert.equal(row.status, "due");
      outcomes[what] = row.lastError;
    }
    return outcomes;
  };
  assert.deepEqual(await outcomesOf(AT_ONCE), AT_ONCE);
  for (const { asked } of all) await asked();
  // The one that streams and the one that drips a body send a head.
  await heads.at(1);
  await clock.advance(500);
  assert.deepEqual(await outcomesOf(AT_TIMEOUT), AT_TIMEOUT);
});
