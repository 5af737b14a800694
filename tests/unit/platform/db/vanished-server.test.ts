/** A database whose machine vanishes while a query is under way: no answer, no end of the connection, no refusal. */
import assert from "node:assert/strict";
import dns, { type LookupAddress } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { type Db, openDatabase } from "#lib/platform/db/connection.ts";
import { testDatabase } from "#tests/support/database.ts";

/** The wait between two looks at a connection, and that for the answer to a new one. */
const STEP_MS = 5_000;

/** A front of PostgreSQL that can keep everything that it gets: `connected` of it, or also new connections. */
interface Front {
  readonly url: string;
  keeps: "nothing" | "connected" | "everything";
  /** Resolves when it has received a query that it keeps. */
  kept(): Promise<unknown>;
  /** Resolves when a new connection has ended. */
  probed(): Promise<unknown>;
  /** Forwards what it has kept. */
  release(): void;
}

async function openFront(t: TestContext): Promise<Front> {
  const made = await testDatabase();
  t.after(() => made.close());
  const target = new URL(made.url);
  const kept: { server: Socket; data: Buffer }[] = [];
  const server = createServer((client) => {
    const isNew = front.keeps !== "nothing";
    if (isNew) client.on("close", () => server.emit("probed"));
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    upstream.pipe(client);
    client.on("data", (data) => {
      if (front.keeps === "nothing" || (front.keeps === "connected" && isNew)) return upstream.write(data);
      kept.push({ server: upstream, data });
      return server.emit("kept");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const front: Front = {
    url: Object.assign(new URL(made.url), { hostname: "127.0.0.1", port: String(port) }).href,
    keeps: "nothing",
    kept: () => once(server, "kept"),
    probed: () => once(server, "probed"),
    release() {
      front.keeps = "nothing";
      for (const { server: upstream, data } of kept) upstream.write(data);
    },
  };
  return front;
}

/** Begins a query that gets no answer. Returns what waits until it has failed as one of an unavailable database does. */
async function beginLost(
  front: Awaited<ReturnType<typeof openFront>>,
  db: Db,
): Promise<{ failed: Promise<void> }> {
  front.keeps = "everything";
  const kept = front.kept();
  const failed = assert.rejects(
    async () => db.execute(sql`select 2`),
    (error) => isDatabaseUnavailable(error),
  );
  await kept;
  return { failed };
}

test("a query whose machine has vanished fails as an unavailable database after fifteen seconds", async (t) => {
  const front = await openFront(t);
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const { db, pool, close } = openDatabase(front.url, { max: 1 });
  await db.execute(sql`select 1`);
  const { failed } = await beginLost(front, db);
  for (let step = 0; step < 3; step++) t.mock.timers.tick(STEP_MS);
  await failed;
  assert.equal(pool.totalCount, 0);
  front.keeps = "nothing";
  assert.equal((await db.execute(sql`select 3`)).rowCount, 1);
  await close();
});

/** Makes names of the host resolve to `addresses[0]`, as its DNS entry does. */
function resolveTo(t: TestContext, host: string, addresses: readonly string[]): void {
  const lookup = dns.lookup as (...given: unknown[]) => void;
  t.mock.method(dns, "lookup", (name: string, options: { readonly all?: boolean }, done: Resolved) => {
    if (name !== host) return lookup(name, options, done);
    const address = addresses[0] ?? "";
    return options.all === true ? done(null, [{ address, family: 4 }]) : done(null, address, 4);
  });
}
type Resolved = (error: null, address: string | LookupAddress[], family?: number) => void;

test("a query fails although its host's name has become that of another machine, which answers", async (t) => {
  const front = await openFront(t);
  const url = new URL(front.url);
  const addresses = ["127.0.0.1"];
  resolveTo(t, "primary.test", addresses);
  const promoted = createServer((socket) => socket.end("N"));
  await new Promise<void>((resolve) => promoted.listen(Number(url.port), "127.0.0.2", resolve));
  t.after(() => promoted.close());
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const { db, close } = openDatabase(Object.assign(url, { hostname: "primary.test" }).href, { max: 1 });
  await db.execute(sql`select 1`);
  const { failed } = await beginLost(front, db);
  addresses[0] = "127.0.0.2";
  const asked = Promise.race([
    front.kept().then(() => "the vanished machine"),
    once(promoted, "connection").then(() => "the other machine"),
  ]);
  for (let step = 0; step < 2; step++) t.mock.timers.tick(STEP_MS);
  assert.equal(await asked, "the vanished machine");
  t.mock.timers.tick(STEP_MS);
  await failed;
  front.keeps = "nothing";
  await close();
});

test("a query that waited for its connection fails as soon as any other", async (t) => {
  const front = await openFront(t);
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const { db, close } = openDatabase(front.url, { max: 1 });
  await db.execute(sql`select 1`);
  front.keeps = "everything";
  const keptFirst = front.kept();
  const first = db.execute(sql`select 2`).then(({ rowCount }) => rowCount);
  await keptFirst;
  // The driver sends it while it handles the end of the first one.
  const failed = assert.rejects(
    async () => db.execute(sql`select 3`),
    (error) => isDatabaseUnavailable(error),
  );
  const keptSecond = front.kept();
  front.release();
  front.keeps = "everything";
  assert.equal(await first, 1);
  await keptSecond;
  for (let step = 0; step < 3; step++) t.mock.timers.tick(STEP_MS);
  await failed;
  await close();
});

test("a query that takes long is left alone while the server answers new connections", async (t) => {
  const front = await openFront(t);
  t.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const { db, close } = openDatabase(front.url, { max: 1 });
  await db.execute(sql`select 1`);
  front.keeps = "connected";
  const kept = front.kept();
  const slow = db.execute(sql`select 2`).then(({ rowCount }) => rowCount);
  await kept;
  t.mock.timers.tick(STEP_MS);
  for (let minute = 0; minute < 3; minute++) {
    const probed = front.probed();
    t.mock.timers.tick(STEP_MS);
    await probed;
  }
  t.mock.timers.tick(STEP_MS - 1);
  front.release();
  assert.equal(await slow, 1);
  await close();
});

test("a connection without a query under way opens no other one", async (t) => {
  const front = await openFront(t);
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { db, close } = openDatabase(front.url, { max: 1 });
  await db.execute(sql`select 1`);
  front.keeps = "everything";
  let probes = 0;
  front.probed().then(
    () => {
      probes += 1;
    },
    () => {},
  );
  for (let step = 0; step < 4; step++) t.mock.timers.tick(STEP_MS);
  front.keeps = "nothing";
  // A probe would have been accepted before this query's answer.
  assert.equal((await db.execute(sql`select 2`)).rowCount, 1);
  assert.equal(probes, 0);
  await close();
});
