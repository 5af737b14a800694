import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, mock, test } from "node:test";
import type { Socket, Server as SocketServer } from "socket.io";
import { acceptSockets } from "#lib/web/realtime/accept-sockets.ts";
import { keepSocket } from "#lib/web/realtime/keep-socket.ts";
import { until } from "#tests/support/until.ts";

/** The messages that the page's socket shares with the library's server. */

let server: Server;
let io: SocketServer;
let origin: string;
let joined: Socket[] = [];
/** Answers of the server to the next greetings: an error refuses. */
let refusals: Error[] = [];
let random: ReturnType<typeof mock.method<Math, "random">>;

before(async () => {
  Object.assign(globalThis, { window: new EventTarget() });
  // Every delay is as short as it can be.
  random = mock.method(Math, "random", () => 0);
  server = createServer();
  io = acceptSockets(server, { publicOrigins: [], socketsPerAddress: 100, addressOf: () => "visitor" });
  io.use((_socket, next) => next(refusals.shift()));
  io.on("connection", (socket) => joined.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  joined = [];
  refusals = [];
});
after(() => {
  mock.restoreAll();
  Reflect.deleteProperty(globalThis, "window");
  io.engine.close();
  server.close();
  server.closeAllConnections();
});

function aPage(t: { after(work: () => void): void }) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const page = { events: [] as unknown[][], disconnects: 0, sockets: [] as WebSocket[] };
  const kept = keepSocket({
    origin,
    room: { refid: "4fRk9ZqWm2TgYx7LbNc3Vd" },
    signal: stop.signal,
    onEvent: (...event) => page.events.push(event),
    onDisconnect: () => {
      page.disconnects += 1;
    },
    onSocket: (socket) => page.sockets.push(socket),
  });
  return { page, stop, ...kept };
}

test("a browser that forbids sockets throws nothing into the page, and connects once it allows them", async (t) => {
  const { WebSocket: allowed } = globalThis;
  let tries = 0;
  const forbidden = class {
    constructor() {
      tries += 1;
      throw new DOMException("forbidden", "SecurityError");
    }
  };
  Object.assign(globalThis, { WebSocket: forbidden });
  t.after(() => Object.assign(globalThis, { WebSocket: allowed }));
  const { isConnected } = aPage(t);
  await until("another try", () => tries > 1);
  assert.equal(isConnected(), false);
  Object.assign(globalThis, { WebSocket: allowed });
  await until("the socket to connect", isConnected);
});

test("greets with the link, and passes events with their values", async (t) => {
  const { page, isConnected } = aPage(t);
  assert.equal(isConnected(), false);
  const socket = await until("the page to join", () => joined[0] ?? null);
  assert.deepEqual(socket.handshake.auth, { refid: "4fRk9ZqWm2TgYx7LbNc3Vd" });
  socket.emit("version", 7);
  socket.emit("unwatched", ["test:bep20"], 1_000);
  await until("both events", () => page.events.length === 2);
  assert.deepEqual(page.events, [
    ["version", 7],
    ["unwatched", ["test:bep20"], 1_000],
  ]);
  assert.equal(isConnected(), true);
});

test("comes back after the server closes the connection, or the room, and reports each end once", async (t) => {
  const { page } = aPage(t);
  const first = await until("the page to join", () => joined[0] ?? null);
  first.conn.close();
  const second = await until("the page to be back", () => joined[1] ?? null);
  assert.equal(page.disconnects, 1);
  second.disconnect();
  await until("the page to be back again", () => joined[2] ?? null);
  assert.equal(page.disconnects, 2);
});

test("asks again after the server refuses", async (t) => {
  refusals = [new Error("try again"), new Error("try again")];
  const { page } = aPage(t);
  await until("the page to join", () => joined[0] ?? null);
  assert.equal(page.sockets.length, 3);
  assert.equal(page.disconnects, 0);
});

test("leaves a connection with a packet that it cannot read, and comes back", async (t) => {
  const { page } = aPage(t);
  for (const [at, broken] of ["2{", "2null", "2", "9"].entries()) {
    const socket = await until("the page to join", () => joined[at] ?? null);
    socket.conn.send(broken);
  }
  await until("the page to be back", () => joined[4] ?? null);
  assert.equal(page.disconnects, 4);
});

test("waits longer and longer for a server that accepts and closes, until it pings", async (t) => {
  const delays: unknown[] = [];
  const { setTimeout: start } = globalThis;
  const timers = mock.method(globalThis, "setTimeout", (work: () => void, ms?: number) => {
    if (work.name === "open") delays.push(ms);
    return start(work, work.name === "open" ? 0 : ms);
  });
  // A second mock of the same method would return at the end of the file, for all files after it.
  random.mock.mockImplementation(() => 1);
  t.after(() => {
    timers.mock.restore();
    random.mock.mockImplementation(() => 0);
  });
  aPage(t);
  for (let at = 0; at < 4; at += 1) {
    const socket = await until("the page to join", () => joined[at] ?? null);
    socket.disconnect();
  }
  const last = await until("the page to join", () => joined[4] ?? null);
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 5_000]);
  let pongs = 0;
  last.conn.on("packet", ({ type }) => {
    if (type === "pong") pongs += 1;
  });
  (last.conn as unknown as { sendPacket(type: string): void }).sendPacket("ping");
  await until("the answer", () => pongs > 0);
  last.disconnect();
  await until("the page to join", () => joined[5] ?? null);
  assert.equal(delays.at(-1), 1_000);
});

test("answers pings, and leaves a connection on which none arrive", async (t) => {
  const { opts } = io.engine;
  const { pingInterval, pingTimeout } = opts;
  t.after(() => Object.assign(opts, { pingInterval, pingTimeout }));
  Object.assign(opts, { pingInterval: 50, pingTimeout: 20_000 });
  const { isConnected } = aPage(t);
  const socket = await until("the page to join", () => joined[0] ?? null);
  let pongs = 0;
  socket.conn.on("packet", ({ type }) => {
    if (type === "pong") pongs += 1;
  });
  // The server would close a connection whose first ping is not answered.
  await until("three answers", () => pongs >= 3);
  assert.equal(isConnected(), true);
  opts.pingTimeout = 1_000;
  const { page } = aPage(t);
  const silent = await until("another page to join", () => joined[1] ?? null);
  const [connection] = page.sockets;
  const pings = silent.conn as unknown as { sendPacket(type: string): void; resetPingTimeout(): void };
  Object.assign(pings, { sendPacket: () => {}, resetPingTimeout: () => {} });
  await until("the page to leave it", () => page.sockets.length > 1);
  assert.equal(connection?.readyState === WebSocket.OPEN, false);
});

test("leaves at once when the browser goes offline", async (t) => {
  const { page, isConnected } = aPage(t);
  // The server knows of the connection before the page does.
  await until("the page to be connected", isConnected);
  window.dispatchEvent(new Event("offline"));
  assert.equal(isConnected(), false);
  assert.equal(page.disconnects, 1);
  await until("the page to be back", () => joined[1] ?? null);
});

test("stays closed once it is stopped", async (t) => {
  const { page, stop, isConnected } = aPage(t);
  const socket = await until("the page to join", () => joined[0] ?? null);
  const left = once(socket, "disconnect");
  stop.abort();
  await left;
  assert.equal(isConnected(), false);
  window.dispatchEvent(new Event("offline"));
  assert.equal(page.sockets.length, 1);
});
