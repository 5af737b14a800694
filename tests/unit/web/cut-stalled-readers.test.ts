import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { cutStalledReaders } from "#lib/web/cut-stalled-readers.ts";
import { until } from "#tests/support/until.ts";

/** More than the system keeps for a connection that is not read. */
const BODY = "x".repeat(16 * 2 ** 20);
const CLIENTS = 10;
const PATIENCE = { patienceMs: 1_000, lookEveryMs: 50 };

let cut = 0;
/** Bytes that waited for each client that asked for the body. */
const held: number[] = [];
const waiting = new Set<Socket>();
const server = createServer((request, response) => {
  waiting.add(request.socket);
  request.socket.once("close", () => waiting.delete(request.socket));
  if (request.url === "/slow") {
    setTimeout(() => response.end("late"), 1.5 * PATIENCE.patienceMs);
    return;
  }
  response.end(BODY);
  held.push(request.socket.writableLength);
});
const stop = cutStalledReaders(
  server,
  (connections) => {
    cut += connections;
  },
  PATIENCE,
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
after(() => {
  stop();
  server.closeAllConnections();
  server.close();
});

function ask(path: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: pay.example\r\n\r\n`);
  return socket;
}

test("frees the memory of ten clients that ask and never read", async () => {
  const clients = Array.from({ length: CLIENTS }, () => ask("/large").pause());
  await until("every connection is cut", () => held.length === CLIENTS && waiting.size === 0);
  assert.ok(Math.min(...held) >= BODY.length, "the whole answer waited");
  await until("every cut is reported", () => cut === CLIENTS);
  for (const client of clients) client.destroy();
});

test("keeps a client that waits for a slow answer, and one that reads", async () => {
  cut = 0;
  const slow = ask("/slow").setEncoding("utf8");
  const reader = ask("/large").setEncoding("latin1");
  let read = 0;
  let answer = "";
  reader.on("data", (text: string) => {
    read += text.length;
  });
  slow.on("data", (text: string) => {
    answer += text;
  });
  await until("both answers have come", () => read > BODY.length && answer.endsWith("late"));
  assert.equal(cut, 0);
  slow.destroy();
  reader.destroy();
});
