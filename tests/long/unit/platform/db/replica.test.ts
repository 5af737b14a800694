/** Reads from a real standby of PostgreSQL 17, which pauses, hangs and dies. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "drizzle-orm";
import pg from "pg";
import { type Database, isDatabaseError, openDatabase } from "#lib/platform/db/connection.ts";
import { findReplicaProblem, openReplica, REPLICA_PROBLEMS } from "#lib/platform/db/replica.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { startTestApi, type TestApi } from "#tests/support/api.ts";
import { switchCluster, testDatabase } from "#tests/support/database.ts";
import { LONG } from "#tests/support/fault-random.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { startPostgres17 } from "#tests/support/postgres-17.ts";
import { startReplica17 } from "#tests/support/replica-17.ts";
import { callCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";

/**
 * Connecting and asking may each take a second of the replica. The rest is for a busy machine. A short run shares its processors with other
 * tests, whose turns count too.
 */
const BOUND_MS = LONG ? 6_000 : 30_000;

const server = await startPostgres17();
const switchBack = switchCluster(server.url);
const made = await testDatabase();
const standby = await startReplica17(server.url);
const readUrl = standby.urlOf(made.url);
after(async () => {
  await standby.stop();
  switchBack();
  await server.stop();
});

/** Why a replica is left out whose machine is slow. */
const LATE = new Set<string | undefined>([REPLICA_PROBLEMS.lags, REPLICA_PROBLEMS.silent]);

/** The log of one web process, and its clock, which a test moves past the time that a replica is left out. */
const lines: { msg: string; reason?: string }[] = [];
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
const log = openLog("info", { write: (line: string) => lines.push(JSON.parse(line)) });

const openWeb = async () => openReplica(openDatabase(made.url), readUrl, { max: 5, log, now });
const database = await openWeb();
const other = await openWeb();
const api = await startTestApi({ database });
const second = await startTestApi({ database: other });
after(async () => {
  await database.close();
  await other.close();
});
const shop = await api.merchant();

/** Tries the replica again, as the next reads do after some seconds, until it is used. */
async function waitUntilUsed(which: Database): Promise<void> {
  ahead += 10_000;
  await until("the replica is used again", () => {
    ahead += 1_000;
    return which.replica?.findLeftOut() === null;
  });
}

async function createLink(on: TestApi): Promise<string> {
  const { status, body } = await on.send({
    ...{ method: "POST", path: "/payment-links", key: shop.test },
    json: PAYMENT_LINK,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { data: { refid: string } }).data.refid;
}

async function findNewest(on: TestApi): Promise<string | undefined> {
  const { body } = await on.send({ path: "/payment-links?limit=1", key: shop.test });
  return (body as { data: { refid: string }[] }).data[0]?.refid;
}

const countReads = () => standby.statements().filter((text) => text.includes('from "payment_links"')).length;

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  return [await work(), performance.now() - began];
}

test("a list has what was written before it, through any process, also while the replica lags", async () => {
  let seen = 0;
  const readsBefore = countReads();
  for (let i = 0; i < 200; i++) {
    if (i === 60) await standby.pauseReplay();
    if (i === 70) assert.equal(database.replica?.findLeftOut(), "it lags behind the primary");
    if (i === 130) await standby.resumeReplay();
    // If it lags for a short time, as on a busy machine, it is left out for seconds.
    if (i < 60 || i >= 130) for (const one of [database, other]) await waitUntilUsed(one);
    const [writer, reader] = i % 2 === 0 ? [api, second] : [second, api];
    const refid = await createLink(writer);
    if ((await findNewest(reader)) === refid) seen += 1;
  }
  assert.equal(seen, 200);
  const reads = countReads() - readsBefore;
  assert.ok(reads >= 60, `${reads} lists were read from the replica`);
});

test("the replica answers every list and every statistic of the API", async () => {
  for (const { method, path, paged, reports } of ENDPOINTS) {
    if (paged === undefined && reports === undefined) continue;
    const read = async () => {
      await waitUntilUsed(database);
      const [executed, logged] = [standby.statements().length, lines.length];
      const json = { email: shop.email, token: "usdt", network: "bep20" };
      const response = await api.send({
        path,
        key: shop.test,
        ...(method === "post" && { method: "POST", json }),
      });
      assert.equal(response.status, 200, `${path}: ${response.text}`);
      const statements = standby.statements().slice(executed);
      return {
        isRead: statements.some((text) => !text.includes("pg_control_system")),
        said: lines.slice(logged).map(({ msg, reason }) => [msg, reason]),
      };
    };
    const first = await read();
    // The primary's log also grows by itself, so a standby is left out while it is slow.
    const wasLeftOut = first.said.some(([msg, reason]) => msg === "replica left out" && LATE.has(reason));
    const { isRead, said } = wasLeftOut ? await read() : first;
    assert.deepEqual(said, [], path);
    assert.ok(isRead, `${path} was not read from the replica`);
  }
});

test("what decides, and what writes, never asks the replica", async () => {
  const executed = standby.statements().length;
  const refid = await createLink(api);
  const requests = [
    { path: `/payment-links/${refid}` },
    { method: "POST", path: `/payment-links/${refid}/cancel`, json: {} },
    { method: "POST", path: "/balances", json: { email: shop.email } },
  ];
  for (const request of requests) {
    const { status } = await api.send({ ...request, key: shop.test });
    assert.equal(status, 200, request.path);
  }
  assert.deepEqual(standby.statements().slice(executed), []);
});

test("a write through the handle for reads is refused", async () => {
  await waitUntilUsed(database);
  const write = sql`update merchants set name = 'changed'`;
  await assert.rejects(
    async () => database.reads.execute(write),
    (error) => isDatabaseError(error, "25006"),
  );
  await assert.rejects(
    database.reads.transaction((tx) => tx.execute(write)),
    (error) => isDatabaseError(error, "25006"),
  );
});

test("an error of a statement is the primary's, and leaves the replica in use", async () => {
  await assert.rejects(
    async () => database.reads.execute(sql`select 1 / 0`),
    (error) => isDatabaseError(error, "22012"),
  );
  assert.equal(database.replica?.findLeftOut(), null);
});

test("reads that find every connection to the replica in use are the primary's, and leave the replica in use", async () => {
  const busy = await openReplica(openDatabase(made.url), readUrl, { max: 1, log, now });
  const ends = Promise.withResolvers<void>();
  try {
    const runs = Promise.withResolvers<void>();
    const isStandby = sql`select pg_is_in_recovery() as "isStandby"`;
    const slow = busy.reads.transaction(async (tx) => {
      const { rows } = await tx.execute(isStandby);
      runs.resolve();
      await ends.promise;
      return rows;
    });
    await Promise.race([runs.promise, slow]);
    const { rows } = await busy.reads.execute(isStandby);
    assert.deepEqual(rows, [{ isStandby: false }]);
    assert.equal(busy.replica?.findLeftOut(), null);
    ends.resolve();
    assert.deepEqual(await slow, [{ isStandby: true }]);
  } finally {
    ends.resolve();
    await busy.close();
  }
});

test("a read that is given up ends on the replica too, runs on the primary, and leaves the replica in use", async () => {
  await waitUntilUsed(database);
  const slow = sql`select pg_is_in_recovery() as "isStandby", pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)::text`;
  const { rows } = await database.reads.execute(slow);
  assert.equal(rows[0]?.isStandby, false);
  assert.equal(database.replica?.findLeftOut(), null);
  const client = new pg.Client({ connectionString: readUrl });
  await client.connect();
  const running = await client
    .query(
      "select query from pg_stat_activity where state = 'active' and query like '%then 60%' and pid <> pg_backend_pid()",
    )
    .finally(() => client.end());
  assert.deepEqual(running.rows, []);
});

test("a record of which the primary has flushed a part leaves the replica in use", async () => {
  const client = await database.pool.connect();
  try {
    await client.query("create table filler (text text)");
    await client.query("begin");
    await client.query("insert into filler select repeat('x', 900) from generate_series(1, 100)");
    // PostgreSQL's WAL writer flushes whole pages, and records go across them.
    await until("the log is flushed up to the end of a page", async () => {
      const { rows } = await database.pool.query("select pg_current_wal_flush_lsn() - '0/0' as position");
      return Number(rows[0].position) % 8192 === 0;
    });
    assert.equal((await database.reads.execute(sql`select 1 as one`)).rowCount, 1);
    assert.equal(database.replica?.findLeftOut(), null);
    assert.equal(await findReplicaProblem(database, readUrl), null);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("a replica that hangs costs each read in progress one bounded delay, and the next reads nothing", async () => {
  await findNewest(api);
  const refid = await createLink(api);
  const before = lines.length;
  standby.freeze();
  try {
    const first = await Promise.all(Array.from({ length: 10 }, () => timed(() => findNewest(api))));
    for (const [found, took] of first) {
      assert.equal(found, refid);
      assert.ok(took < BOUND_MS, `${took} ms`);
    }
    const [, next] = await timed(async () => {
      for (let i = 0; i < 10; i++) assert.equal(await findNewest(api), refid);
    });
    assert.ok(next < BOUND_MS, `${next} ms for ten`);
    assert.equal(database.replica?.findLeftOut(), "it does not answer");
    assert.deepEqual(
      lines.slice(before).map(({ msg }) => msg),
      ["replica left out"],
    );
    // No read waits for the attempt to use it again.
    ahead += 10_000;
    assert.equal(database.replica?.findLeftOut(), "it does not answer");
    assert.equal(await findNewest(api), refid);
  } finally {
    standby.thaw();
  }
  await waitUntilUsed(database);
  assert.equal(lines.at(-1)?.msg, "replica is used again");
});

test("without its replica a process starts, and the commands name the reason", async () => {
  const env = { DATABASE_URL: made.url, DATABASE_READ_URL: readUrl };
  const readReplica = async () =>
    ((await callCli(env, ["status", "--json"])).json() as { replica: object }).replica;
  await waitUntilUsed(database);
  assert.deepEqual(await readReplica(), { used: true, reason: null });
  await standby.kill();
  const before = lines.length;
  await findNewest(api);
  const messages = lines.slice(before).map(({ msg, reason }) => [msg, reason]);
  assert.deepEqual(messages, [["replica left out", "it does not answer"]]);
  assert.deepEqual(await readReplica(), { used: false, reason: "it does not answer" });
  const doctor = await callCli(env, ["doctor"]);
  assert.match(doctor.stdout, /replica/);
  const late = await openWeb();
  try {
    assert.equal(late.replica?.findLeftOut(), "it does not answer");
    assert.equal((await late.reads.execute(sql`select 1 as one`)).rowCount, 1);
    const [found] = await timed(() => findNewest(api));
    assert.equal(found, await findNewest(second));
    await standby.start();
    await waitUntilUsed(late);
  } finally {
    await late.close();
  }
});

test("an address of another database is refused, and the primary's own is left out", async () => {
  const refused = openReplica(database, standby.urlOf(server.url), { max: 1, log, now });
  await assert.rejects(refused, { message: /DATABASE_READ_URL must be the address of a replica/ });
  assert.equal(await findReplicaProblem(database, made.url), "primary");
});
