/** Connections that PostgreSQL, or something before it, ends or never answers. */
import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { sql } from "drizzle-orm";
import { takeWatchLock } from "#lib/domain/deposits/watch/watch-lock.ts";
import { isDatabaseUnavailable } from "#lib/platform/db/availability.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { testDatabase } from "#tests/support/database.ts";

const BEGIN = Buffer.from("begin");

async function listen(t: TestContext, onClient: (client: Socket) => void): Promise<number> {
  const server = createServer(onClient);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Forwards to the server of `url` and cuts, while `state.cuts`, each connection that begins a transaction. */
async function openFront(t: TestContext, url: string, state: { cuts: boolean }): Promise<string> {
  const target = new URL(url);
  const port = await listen(t, (client) => {
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) socket.on("error", () => {});
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    server.pipe(client);
    client.on("data", (data) => {
      if (state.cuts && data.includes(BEGIN)) client.destroy();
      else server.write(data);
    });
  });
  return Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href;
}

test("a pool keeps its places when connections end at the begin of transactions", async (t) => {
  const made = await testDatabase();
  t.after(() => made.close());
  const state = { cuts: true };
  const { db, pool, close } = openDatabase(await openFront(t, made.url, state), { max: 2 });
  t.after(close);
  for (let i = 0; i < 3; i++) {
    const failed = db.transaction((tx) => tx.execute(sql`select 1`));
    await assert.rejects(failed, (error) => isDatabaseUnavailable(error));
  }
  assert.equal(pool.totalCount - pool.idleCount, 0);
  state.cuts = false;
  const { rows } = await db.transaction((tx) => tx.execute(sql`select 1 as one`));
  assert.deepEqual(rows, [{ one: 1 }]);
});

test("a transaction that is refused gives its connection back clean", async (t) => {
  const made = await testDatabase();
  t.after(() => made.close());
  const { db, close } = openDatabase(made.url, { max: 1 });
  t.after(close);
  const failed = db.transaction((tx) => tx.execute(sql`select 1 / 0`));
  await assert.rejects(failed, (error) => !isDatabaseUnavailable(error));
  await assert.rejects(
    db.transaction(async () => {
      throw new Error("refused");
    }),
    /refused/,
  );
  const { rows } = await db.execute(sql`select 1 as one`);
  assert.deepEqual(rows, [{ one: 1 }]);
});

/** A server that lets everyone in and says, as PostgreSQL does at a connection, whether it is a standby. */
function openPlayedServer(
  t: TestContext,
  standby: "on" | "off",
  onStartup: (message: string) => void = () => {},
): Promise<number> {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5, type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const answers = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("S", Buffer.from(`in_hot_standby\0${standby}\0`)),
    message("Z", Buffer.from("I")),
  ]);
  return listen(t, (client) => {
    client.on("error", () => {});
    client.once("data", (startup) => {
      onStartup(startup.toString());
      client.write(answers);
    });
  });
}

test("a standby is refused as an unavailable database", async (t) => {
  const urlOf = (port: number) => `postgres://u:p@127.0.0.1:${port}/paylink`;
  const standby = openDatabase(urlOf(await openPlayedServer(t, "on")));
  await assert.rejects(
    standby.pool.connect(),
    (error: Error) => isDatabaseUnavailable(error) && /standby/.test(error.message),
  );
  assert.equal(standby.pool.totalCount, 0);
  const primary = openDatabase(urlOf(await openPlayedServer(t, "off")));
  const client = await primary.pool.connect();
  client.release(true);
  await Promise.all([standby.close(), primary.close()]);
});

test("a pool through PgBouncer sets nothing that PgBouncer refuses, and accepts what it says of its first server", async (t) => {
  const startups: string[] = [];
  const port = await openPlayedServer(t, "on", (message) => startups.push(message));
  const url = `postgres://u:p@127.0.0.1:${port}/paylink`;
  const pooled = openDatabase("postgres://u:p@127.0.0.1:1/paylink", { pooledUrl: url });
  assert.equal(pooled.url, "postgres://u:p@127.0.0.1:1/paylink");
  const client = await pooled.pool.connect();
  client.release(true);
  await assert.rejects(openDatabase(url).pool.connect());
  assert.deepEqual(
    startups.map((message) => message.includes("idle_in_transaction_session_timeout")),
    [false, true],
  );
  await pooled.close();
});

test("a read-only or full database is unavailable, and a wrong password is not", () => {
  const errorOf = (code: string) => Object.assign(new Error("no"), { severity: "ERROR", code });
  const unavailable = ["25006", "53100", "53300", "57P01", "57P03", "08006", "08P01", "58030"];
  for (const code of unavailable) assert.ok(isDatabaseUnavailable(errorOf(code)), code);
  for (const code of ["28P01", "3D000", "23505", "40001", "53400"])
    assert.ok(!isDatabaseUnavailable(errorOf(code)), code);
});

test("a connection to a server that never answers ends after ten seconds, also that of a lock", async (t) => {
  const silent = await listen(t, (client) => void client.on("error", () => {}));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const url = `postgres://u:p@127.0.0.1:${silent}/paylink`;
  const taking = takeWatchLock(url, { env: "test", network: "bep20" });
  const refused = assert.rejects(taking, (error) => isDatabaseUnavailable(error));
  t.mock.timers.tick(10_000);
  await refused;
});
