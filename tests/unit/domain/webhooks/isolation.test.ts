import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, before, type TestContext, test } from "node:test";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import type { LaneLimits } from "#lib/domain/webhooks/lanes.ts";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { startWebhookWorker } from "#lib/domain/webhooks/webhook-worker.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { until } from "#tests/support/until.ts";
import { agent, merchantWithEndpoint, plainSecrets, type Receiver, startReceiver } from "./receiver.ts";

let base: TestDatabase;
let receiver: Receiver;

before(async () => {
  base = await testDatabase();
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await base.close();
});

/** How faulty receivers answer a request. */
const BAD: Record<string, (socket: Socket) => void> = {
  hangs: () => {},
  "drips its answer's head, a byte at a time": (socket) => {
    const text = `HTTP/1.1 200 OK\r\nx-slow: ${"x".repeat(10_000)}`;
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? "x"), 100);
    socket.once("close", () => clearInterval(timer));
  },
  "drips a body": (socket) => {
    socket.write("HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n");
    const timer = setInterval(() => socket.write("1\r\nx\r\n"), 100);
    socket.once("close", () => clearInterval(timer));
  },
  "streams without end": (socket) => {
    socket.write("HTTP/1.1 500 No\r\n\r\n");
    const chunk = Buffer.alloc(64 * 1024, "x");
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", pump);
    pump();
  },
  "says 103 for ever": (socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 50);
    socket.once("close", () => clearInterval(timer));
  },
  "sends a head without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const line = `x-more: ${"x".repeat(1_000)}\r\n`;
    const pump = () => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.on("drain", pump);
    pump();
  },
  resets: (socket) => void socket.resetAndDestroy(),
  "speaks no HTTP": (socket) => void socket.end("220 smtp.example ESMTP\r\n"),
};

async function startBad(t: TestContext, behave: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
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
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen };
}

function emit(merchantId: number, n: number) {
  const event = { merchantId, env: "test", type: "deposit_credited", dataJson: "{}", txHashes: [] } as const;
  return base.db.transaction((tx) =>
    emitRawEvents(
      tx,
      Array.from({ length: n }, () => event),
      new Date(),
    ),
  );
}

async function startWorker(t: TestContext, timeoutMs: number, limits?: LaneLimits) {
  const started = await startWebhookWorker({
    database: base.database,
    secrets: plainSecrets,
    agent,
    log: pino({ level: "silent" }),
    timeoutMs,
    ...(limits && { limits }),
  });
  t.after(() => started.stop());
}

for (const [what, behave] of Object.entries(BAD)) {
  test(`a receiver that ${what} delays no other and gets only its share`, async (t) => {
    const bad = await startBad(t, behave);
    const wrong = await merchantWithEndpoint(base.db, { url: bad.url, secret: generateWebhookSecret() });
    const right = await merchantWithEndpoint(base.db, receiver);
    await startWorker(t, 15_000);
    await emit(wrong.merchantId, 300);
    await until("the bad receiver to be at it", () => bad.seen.requests > 0);
    const before = receiver.received.length;
    const started = performance.now();
    await emit(right.merchantId, 50);
    await until("the good one's events", () => receiver.received.length === before + 50);
    const ms = performance.now() - started;
    assert.ok(ms < 3_000, `${ms.toFixed(0)} ms`);
    assert.ok(bad.seen.most <= 10, `${bad.seen.most} connections at once`);
  });
}

test("receivers that read slowly leave capacity for one that answers at once", async (t) => {
  const EACH = 40;
  const held: ServerResponse[] = [];
  const slow = [await startReceiver(), await startReceiver()];
  t.after(() => Promise.all(slow.map((one) => one.close())));
  for (const one of slow) {
    one.reply((response) => void held.push(response));
    const { merchantId } = await merchantWithEndpoint(base.db, one);
    await emit(merchantId, EACH);
  }
  const right = await merchantWithEndpoint(base.db, receiver);
  await startWorker(t, 60_000, { perEndpoint: 2, total: 4, failing: 2 });
  await until("the slow ones to fill every place", () => held.length === 4);
  const before = receiver.received.length;
  await emit(right.merchantId, 1);
  let taken = 0;
  // One answer at a time: the worker chooses the next request.
  while (receiver.received.length === before && taken < EACH) {
    held.shift()?.writeHead(200).end();
    taken += 1;
    await until("the next request", () => held.length === 4 || receiver.received.length > before);
  }
  assert.ok(taken < EACH, `still waiting after ${taken} of theirs`);
});

test("each of them is a failed attempt within the timeout", async (t) => {
  const all = await Promise.all(
    Object.entries(BAD).map(async ([what, behave]) => {
      const { url } = await startBad(t, behave);
      const { merchantId } = await merchantWithEndpoint(base.db, { url, secret: generateWebhookSecret() });
      const [event] = await emit(merchantId, 1);
      return { what, id: event!.id };
    }),
  );
  await startWorker(t, 500);
  const outcomes: Record<string, unknown> = {};
  for (const { what, id } of all) {
    const row = await until(`an attempt at one that ${what}`, async () => {
      const [found] = await base.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.eventId, id));
      return found?.lastError === null ? null : found;
    });
    assert.equal(row.status, "due");
    outcomes[what] = row.lastError;
  }
  assert.deepEqual(outcomes, {
    hangs: "timeout",
    "drips its answer's head, a byte at a time": "timeout",
    "drips a body": "answered 500",
    "streams without end": "answered 500",
    "says 103 for ever": "timeout",
    "sends a head without end": "UND_ERR_HEADERS_OVERFLOW",
    resets: "ECONNRESET",
    "speaks no HTTP": "request failed",
  });
});
