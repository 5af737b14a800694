import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, mock, test } from "node:test";
import { cutStalledReaders } from "#lib/web/cut-stalled-readers.ts";
import { Arrivals, WakeUps } from "#tests/support/wake-ups.ts";

/** More than the system keeps for a connection that is not read. */
const BODY = "x".repeat(16 * 2 ** 20);
const CLIENTS = 10;
/** Between two looks at the connections. */
const LOOK_MS = 5_000;

const clock = { ms: 0 };
let cut = 0;
/** Bytes that wait for each client that has asked for the body. */
const held = new Arrivals<number>();
const slow = Promise.withResolvers<ServerResponse>();
const waiting = new Set<Socket>();
const server = createServer((request, response) => {
  waiting.add(request.socket);
  request.socket.once("close", () => {
    waiting.delete(request.socket);
    held.wake();
  });
  if (request.url === "/slow") return slow.resolve(response);
  response.end(BODY);
  held.add(request.socket.writableLength);
});
mock.timers.enable({ apis: ["setInterval"] });
const stop = cutStalledReaders(
  server,
  (connections) => {
    cut += connections;
  },
  () => clock.ms,
);
function pass(seconds: number): void {
  for (const end = clock.ms + 1_000 * seconds; clock.ms < end; ) {
    clock.ms += LOOK_MS;
    mock.timers.tick(LOOK_MS);
  }
}
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
after(() => {
  stop();
  mock.timers.reset();
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
  await held.at(CLIENTS - 1);
  assert.ok(Math.min(...held.all) >= BODY.length, "the whole answer waited");
  pass(15);
  assert.equal(cut, 0);
  // Their time begins at the first look at the latest.
  pass(10);
  assert.equal(cut, CLIENTS);
  await held.until("every connection is cut", () => waiting.size === 0);
  for (const client of clients) client.destroy();
});

test("keeps a client that waits for a slow answer, and one that reads", async () => {
  const arrived = new WakeUps();
  const [late, reader] = [ask("/slow").setEncoding("utf8"), ask("/large").setEncoding("latin1")];
  let read = 0;
  let answer = "";
  reader.on("data", (text: string) => {
    read += text.length;
    arrived.wake();
  });
  late.on("data", (text: string) => {
    answer += text;
    arrived.wake();
  });
  const response = await slow.promise;
  await arrived.until("the large answer", () => read > BODY.length);
  pass(60);
  assert.equal(cut, CLIENTS, "no other");
  response.end("late");
  await arrived.until("the slow answer", () => answer.endsWith("late"));
  late.destroy();
  reader.destroy();
});
