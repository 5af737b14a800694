import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { MigrationError, migrate } from "#lib/platform/db/migrate.ts";
import { emptyDatabase, testDatabase } from "#tests/support/database.ts";
import { databaseBefore } from "#tests/support/migrate-to.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { until } from "#tests/support/until.ts";

/** Counts the sessions that wait for an advisory lock of this database. */
const WAITING = `select 1 from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

test("creates an empty test database with our tables and those of the job queue", async () => {
  const { database, close } = await testDatabase();
  const tables = await database.pool.query(
    "select to_regclass('payment_links') as links, to_regclass('webhook_attempts') as jobs",
  );
  assert.deepEqual(tables.rows, [{ links: "payment_links", jobs: "webhook_attempts" }]);
  const merchants = await database.pool.query("select * from merchants");
  assert.equal(merchants.rowCount, 0);
  await close();
});

test("separates the rows of two test databases", async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await one.database.pool.query("insert into merchants (email, name) values ('a@b.c', 'A')");
  const seen = await two.database.pool.query("select * from merchants");
  assert.equal(seen.rowCount, 0);
  await Promise.all([one.close(), two.close()]);
});

test("migrates an empty database once with five concurrent programs, and a sixth changes nothing", async () => {
  const { url, close } = await emptyDatabase();
  await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const applied = () => client.query("select * from drizzle.__drizzle_migrations order by id");
  const before = (await applied()).rows;
  await migrate(url);
  assert.deepEqual((await applied()).rows, before);
  assert.ok(before.length >= 1);
  await client.end();
  await close();
});

test("lets a role without privileges start on a current database, and says what to run otherwise", {
  timeout: 60_000,
}, async () => {
  const role = "paylink_restricted_migrate";
  const command = `MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate --grant ${role}`;
  const rejectedWith = (problem: RegExp) => (error: unknown) => {
    assert.ok(error instanceof MigrationError);
    assert.match(error.message, problem);
    assert.ok(error.message.endsWith(command), error.message);
    return true;
  };
  const { database, url: owner, close } = await testDatabase();
  const { pool } = database;
  const url = await restrict(pool, owner, role);
  await migrate(url);

  const migrations = "drizzle.__drizzle_migrations";
  const last = `id = (select max(id) from ${migrations})`;
  const { rows } = await pool.query(`delete from ${migrations} where ${last} returning hash, created_at`);
  await assert.rejects(migrate(url), rejectedWith(/may not make the migrations that are missing \(1\)/));

  // Another program migrates. This one waits for its end and has nothing left to do.
  const other = await pool.connect();
  await other.query("select pg_advisory_lock($1)", [0x70_6c_10]);
  const waiting = migrate(url);
  await until("the second program to wait", async () => {
    const { rows } = await pool.query(WAITING);
    return rows.length > 0;
  });
  await other.query(`insert into ${migrations} (hash, created_at) values ($1, $2)`, [
    rows[0].hash,
    rows[0].created_at,
  ]);
  // Nothing is missing any more, so there is nothing to wait for.
  await migrate(url);
  await other.query("select pg_advisory_unlock_all()");
  other.release();
  await waiting;
  await assert.rejects(migrate(url, { grantTo: role }), rejectedWith(/may not give rights/));

  await pool.query(`revoke usage on schema drizzle from ${role}`);
  await assert.rejects(migrate(url), rejectedWith(/may not see which migrations are in place/));
  const empty = await emptyDatabase();
  const fresh = Object.assign(new URL(url), { pathname: new URL(empty.url).pathname }).href;
  await assert.rejects(migrate(fresh), rejectedWith(/missing \(\d\d+\)/));
  await empty.close();
  await pool.query(`drop owned by ${role}; drop role ${role}`);
  await close();
});

test("says to stop the processes when a running transaction keeps a row or ends in a deadlock, and migrates later", {
  timeout: 60_000,
}, async () => {
  const { url, client: running, close } = await databaseBefore("one_customer_per_mailbox");
  await running.query(`insert into merchants (email, name) values ('a@b.c', 'A');
    insert into customers (merchant_id, env, email, first_name, last_name) values (1, 'test', 'c@d.e', 'C', 'E')`);
  const changed = async () =>
    (await running.query("select to_regclass('token_prices')::text as t")).rows[0].t;
  const saysToStop = (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error));
    assert.equal(
      error.message,
      "Nothing was migrated, because another program uses the tables: stop all web and worker processes, and try again.",
    );
    return true;
  };
  const lockRow = "select 1 from customers for update";

  await running.query(`begin; ${lockRow}`);
  await assert.rejects(migrate(url, { lockWaitMs: 50 }), saysToStop);
  await running.query("commit");
  assert.equal(await changed(), null);

  // PostgreSQL ends the one that looks for a deadlock first: the migration.
  await running.query("set deadlock_timeout = '1min'; begin; select 1 from quotes for update");
  const migrating = assert.rejects(migrate(url), saysToStop);
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  await until("the migration to wait for the running transaction", async () => {
    const { rowCount } = await watcher.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  await watcher.end();
  await running.query(lockRow);
  await migrating;
  await running.query("commit");
  assert.equal(await changed(), null);

  await migrate(url);
  assert.equal(await changed(), "token_prices");
  await close();
});
