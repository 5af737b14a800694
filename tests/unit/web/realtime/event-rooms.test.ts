/** The socket of a program that listens to the events of a test key. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { io, type Socket } from "socket.io-client";
import { apiKeys } from "#lib/domain/merchants/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { type Realtime, startRealtime } from "#lib/web/realtime/serve-realtime.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { emitRawEvent, emitRawEvents } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";
import { until } from "#tests/support/until.ts";

const base = await databaseOfFile();
let server: Server;
let realtime: Realtime;
let url: string;
const sockets: Socket[] = [];
let merchants = 0;

before(async () => {
  server = createServer();
  realtime = await startRealtime(server, {
    database: base.database,
    publicOrigins: [],
    socketsPerAddress: 1_000,
    servedAt: () => "all",
    consoleUrl: null,
    addressOf: () => "127.0.0.1",
    log: pino({ level: "silent" }),
    deskCheckMs: 20,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
after(async () => {
  await realtime.stop();
  server.close();
});

async function aMerchant() {
  merchants += 1;
  const email = `listener${merchants}@shop.example`;
  const made = await newMerchant(base.db, { sealer: openSecrets(SECRET_KEY), email, name: "Shop" });
  return { id: made.merchant.id, live: made.live.apiKey, test: made.test.apiKey };
}

/** The events and errors that a program with this greeting receives. */
function listen(auth: Record<string, unknown>) {
  const options = { path: "/realtime", transports: ["websocket"], forceNew: true, reconnection: false };
  const socket = io(url, { ...options, auth });
  sockets.push(socket);
  const heard = { socket, joined: [] as number[], errors: [] as string[], skipped: 0, ids: [] as number[] };
  const bodies: string[] = [];
  socket.on("joined", (newest: number) => heard.joined.push(newest));
  socket.on("skipped", () => {
    heard.skipped += 1;
  });
  socket.on("event", (event: { id: number; body: string }) => {
    heard.ids.push(event.id);
    bodies.push(event.body);
  });
  socket.on("connect_error", ({ message }) => heard.errors.push(message));
  return { ...heard, heard, bodies };
}

const event = (merchantId: number, env: "live" | "test" = "test", data = "{}") =>
  ({ merchantId, env, type: "payment_link_completed", dataJson: data, txHashes: [] }) as const;
const emit = (...given: Parameters<typeof event>) =>
  base.db.transaction((tx) => emitRawEvent(tx, event(...given), new Date()));

test("sends each event of the key's test environment, with its exact text, and nothing of others", async () => {
  const [own, other] = [await aMerchant(), await aMerchant()];
  const { joined, ids, bodies } = listen({ key: own.test });
  await until("the program to join", () => joined.length > 0);
  assert.deepEqual(joined, [0]);
  await emit(other.id);
  await emit(own.id, "live");
  const { id } = await emit(own.id, "test", '{"metadata":{"n": 1.50}}');
  await until("the event", () => ids.length > 0);
  assert.deepEqual(ids, [id]);
  assert.match(bodies[0] ?? "", /"data":\{"metadata":\{"n": 1\.50\}\}\}$/);
});

test("refuses a live key, a false key, and a key that may not read events", async () => {
  const { id, live } = await aMerchant();
  const narrow = await aMerchant();
  await base.db.update(apiKeys).set({ scope: "withdrawals" }).where(sql`merchant_id = ${narrow.id}`);
  for (const [key, message] of [
    [live, "only a test key can listen to events"],
    [`pl_test_${"a".repeat(40)}`, "invalid api key"],
    ["", "invalid api key"],
    ["pl_test_\n\u{1F600}", "invalid api key"],
    [narrow.test, "api key not allowed for this operation"],
  ] as const) {
    const { errors, socket } = listen({ key });
    await until("the refusal", () => errors.length > 0);
    assert.deepEqual([errors, socket.connected], [[message], false], key);
  }
  await emit(id);
});

test("a program that was away receives what it missed, oldest first, and at most a hundred", async () => {
  const { id, test: key } = await aMerchant();
  const present = listen({ key });
  await until("another program to join", () => present.joined.length > 0);
  const many = Array.from({ length: 103 }, () => event(id));
  const stored = await base.db.transaction((tx) => emitRawEvents(tx, many, new Date()));
  // A notification that comes after the program has joined sends an event to it once more.
  await until("all to be announced", () => present.ids.length === many.length);
  const { joined, ids, heard } = listen({ key, after: stored[0]?.id });
  await until("the missed events", () => heard.skipped > 0);
  assert.deepEqual(joined, [stored.at(-1)?.id]);
  assert.deepEqual(
    ids,
    stored.slice(1, 101).map((one) => one.id),
  );
});

test("does not accept more than ten programs of a merchant", async () => {
  const { test: key } = await aMerchant();
  const ten = Array.from({ length: 10 }, () => listen({ key }));
  await until("ten to join", () => ten.every(({ joined }) => joined.length > 0));
  const { errors } = listen({ key });
  await until("the refusal", () => errors.length > 0);
  assert.deepEqual(errors, ["ten programs listen to this merchant's events already"]);
  ten[0]?.socket.close();
  await until("a place", async () => {
    const { joined, errors: refused } = listen({ key });
    await until("an answer", () => joined.length + refused.length > 0);
    return joined.length > 0;
  });
});

test("disconnects a program that does not read before much waits for it", async () => {
  const { id, test: key } = await aMerchant();
  const { socket, joined } = listen({ key });
  await until("the program to join", () => joined.length > 0);
  const { ws } = socket.io.engine.transport as unknown as {
    ws: { _socket: { pause(): void; resume(): void } };
  };
  ws._socket.pause();
  const large = JSON.stringify({ metadata: "x".repeat(120_000) });
  for (let count = 0; count < 150; count++) await emit(id, "test", large);
  ws._socket.resume();
  await until("the end of the connection", () => !socket.connected);
});

test("disconnects a program whose key was revoked", async () => {
  const { id, test: key } = await aMerchant();
  const { joined, socket } = listen({ key });
  await until("the program to join", () => joined.length > 0);
  await base.db.update(apiKeys).set({ revokedAt: new Date() }).where(sql`merchant_id = ${id}`);
  await until("the end", () => !socket.connected);
});

test("after the listening connection was cut, the program must connect again", async () => {
  const { test: key } = await aMerchant();
  const { joined, socket } = listen({ key });
  const reasons: string[] = [];
  socket.on("disconnect", (reason) => reasons.push(reason));
  await until("the program to join", () => joined.length > 0);
  await base.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'paylink listener' and datname = current_database()`,
  );
  await until("the end", () => reasons.length > 0);
  // The reason after which the library connects again by itself.
  assert.deepEqual(reasons, ["transport close"]);
});
