import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import pg from "pg";
import { countPendingMigrations, MigrationError, migrate } from "#lib/platform/db/migrate.ts";
import { emptyDatabase, testDatabase } from "#tests/support/database.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { until } from "#tests/support/until.ts";

/** The migrations of this version, the baseline first. */
const MIGRATIONS: readonly { readonly when: number }[] = JSON.parse(
  readFileSync(new URL("../../../../lib/platform/db/migrations/meta/_journal.json", import.meta.url), "utf8"),
).entries;

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
  await assert.rejects(migrate(fresh), rejectedWith(new RegExp(`missing \\(${MIGRATIONS.length}\\)`)));
  await empty.close();
  await pool.query(`drop owned by ${role}; drop role ${role}`);
  await close();
});

test("says to stop the processes when a running transaction keeps a lock or ends in a deadlock, and migrates later", {
  timeout: 60_000,
}, async () => {
  const { url, close } = await emptyDatabase();
  const [running, watcher] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([running.connect(), watcher.connect()]);
  const exists = async () =>
    (await watcher.query("select to_regclass('merchants') is not null as exists")).rows[0].exists;
  const saysToStop = (error: unknown) => {
    assert.ok(error instanceof MigrationError, String(error));
    assert.equal(
      error.message,
      "Nothing was migrated, because another program uses the tables: stop all web and worker processes and the signer, and try again.",
    );
    return true;
  };
  // Nobody else can create a table of this name before the end of the transaction. The migration creates it late.
  const keepLast = "begin; create table idempotency_keys ()";

  await running.query(keepLast);
  await assert.rejects(migrate(url, { lockWaitMs: 50 }), saysToStop);
  await running.query("rollback");
  assert.equal(await exists(), false);

  // PostgreSQL ends the one that looks for a deadlock first: the migration.
  await running.query(`set deadlock_timeout = '1min'; ${keepLast}`);
  const migrating = assert.rejects(migrate(url), saysToStop);
  await until("the migration to wait for the running transaction", async () => {
    const { rowCount } = await watcher.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  await running.query("create table merchants ()");
  await migrating;
  await running.query("rollback");
  assert.equal(await exists(), false);

  await migrate(url);
  assert.equal(await exists(), true);
  await Promise.all([running.end(), watcher.end()]);
  await close();
});

/** Timestamps of the last two of the 58 migrations that databases of before version 1.0.0 have instead of the baseline. */
const [NEXT_TO_LAST, LAST] = [1795741612096, 1795743692605];

test("adopts a database that has all migrations of before 1.0.0 and those after it, and changes nothing in it, for any role", async () => {
  const { database, url: owner, close } = await testDatabase();
  const { pool, db } = database;
  await applyOnly(pool, NEXT_TO_LAST, LAST, ...MIGRATIONS.slice(1).map(({ when }) => when));
  await pool.query("insert into merchants (email, name) values ('a@b.c', 'A')");
  const role = "paylink_restricted_adopt";
  const url = await restrict(pool, owner, role);
  const rows = async () => [
    (await pool.query("select * from drizzle.__drizzle_migrations order by id")).rows,
    (await pool.query("select * from merchants")).rows,
  ];
  const before = await rows();
  for (const one of [url, owner]) await migrate(one);
  assert.equal(await countPendingMigrations(db), 0);
  assert.deepEqual(await rows(), before);
  await pool.query(`drop owned by ${role}; drop role ${role}`);
  await close();
});

test("refuses a database that lacks a migration of before 1.0.0, and says where the way is", async () => {
  const { database, url, close } = await testDatabase();
  await applyOnly(database.pool, NEXT_TO_LAST);
  const refused = {
    name: "MigrationError",
    message:
      "This database is from before version 1.0.0 and lacks some migrations of that time. Nothing was changed. " +
      'See "From a version before 1.0.0" in docs/operate/upgrade.md.',
  };
  await assert.rejects(migrate(url), refused);
  await assert.rejects(migrate(url, { grantTo: "paylink_app" }), refused);
  await close();
});

test("counts the migrations of a newer version as negative", async () => {
  const { database, close } = await testDatabase();
  const { pool, db } = database;
  await pool.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('a', 9e12), ('b', 9.1e12)",
  );
  assert.equal(await countPendingMigrations(db), -2);
  await close();
});

/** A database with the first of today's migrations, and a merchant. */
async function olderDatabase(): Promise<{ url: string; pool: pg.Pool; close(): Promise<void> }> {
  const { url, close } = await emptyDatabase();
  const pool = new pg.Pool({ connectionString: url });
  const baseline = readFileSync(
    new URL("../../../../lib/platform/db/migrations/0000_baseline.sql", import.meta.url),
    "utf8",
  );
  await pool.query(baseline.replaceAll("--> statement-breakpoint", ""));
  await pool.query(
    "create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)",
  );
  await applyOnly(pool, MIGRATIONS[0]!.when);
  await pool.query("insert into merchants (email, name) values ('shop@example.com', 'Shop')");
  return {
    url,
    pool,
    async close() {
      await pool.end();
      await close();
    },
  };
}

test("a link that was paid before its token was stored gets the token of the newest credited payment", async () => {
  const { url, pool, close } = await olderDatabase();
  await pool.query(`set session_replication_role = replica;
    insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name, customer_last_name,
      payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated, state, paid_network)
      select refid, 1, 'test', 1, 'a@b.c', 'A', 'B', refid, 100, 'USD', '', '', now(), false, state, network
      from (values ('paid', 'completed', 'bep20'), ('open', 'open', null)) links(refid, state, network);
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at)
      select 'test', network, token, 1, 1, token || status, 0, 100, status, 1, now()
      from (values ('bep20', 'usdc', 1), ('bep20', 'usdt', 1), ('bep20', 'bnb', 0), ('trc20', 'trx', 1)) paid(network, token, status);
    insert into payments (deposit_id, payment_link_id) select d.id, l.id from deposits d, payment_links l where l.refid = 'paid'`);
  await migrate(url);
  const { rows } = await pool.query("select refid, paid_token from payment_links order by refid");
  assert.deepEqual(rows, [
    { refid: "open", paid_token: null },
    { refid: "paid", paid_token: "usdt" },
  ]);
  await close();
});

test("links from before days had a time zone are counted again, each once", async () => {
  const { url, pool, close } = await olderDatabase();
  await pool.query(`set session_replication_role = replica;
    insert into payment_links (refid, merchant_id, env, customer_id, customer_email, customer_first_name, customer_last_name,
      payment_reference, amount, currency, success_url, cancel_url, expires_at, wallet_pre_generated, state, paid_network,
      usd_cents, created_at, completed_at)
      select refid, 1, 'test', 1, 'a@b.c', 'A', 'B', refid, 100, 'usd', '', '', now(), false, state, network, 700,
        '2026-03-01T23:50:00Z', done::timestamptz
      from (values ('paid', 'completed', 'bep20', '2026-03-02T00:20:00Z'), ('open', 'open', null, null)) l(refid, state, network, done);
    insert into link_day_changes (merchant_id, env, day, metric, count, usd_cents) values (1, 'test', '2026-03-01', 'created', 2, 0);
    insert into link_day_totals (merchant_id, env, day, metric, count, usd_cents) values (1, 'test', '2026-03-01', 'seen', 1, 0)`);
  await migrate(url);
  const { rows } = await pool.query(
    "select day::text, metric, count, usd_cents::text as cents from link_days order by 1, 2",
  );
  assert.deepEqual(
    rows.map(({ day, metric, count, cents }) => `${day} ${metric} ${count} ${cents}`),
    [
      "2026-03-01 created 2 0",
      "2026-03-01 paid 1 0",
      "2026-03-01 seen 1 0",
      "2026-03-02 time:60 1 0",
      "2026-03-02 volume:bep20 1 700",
    ],
  );
  const changes = await pool.query("select count(*)::integer as left from link_day_changes");
  assert.deepEqual(changes.rows, [{ left: 0 }]);
  await close();
});

test("what an address received on several networks before is to be swept on each of them", async () => {
  const { url, pool, close } = await olderDatabase();
  // At the first address dust on base hides a payment, at the second the signer of base has deleted it, at the third nothing is hidden, and at
  // the fourth what arrived on base was dropped.
  await pool.query(`set session_replication_role = replica;
    insert into addresses (env, network, address, account_key_id, index, path, merchant_id, purpose)
      select 'test', 'bep20', 'address' || n, 1, n, 'm', 1, 'merchant' from generate_series(1, 4) n;
    insert into deposits (env, network, token, merchant_id, address_id, tx_hash, position, amount, status,
      required_confirmations, first_seen_at, unmatched_reason)
      select 'test', network, 'usdt', 1, address, address || network || status, 0, amount, status, 1, now(), reason
      from (values (1, 'base', 1, 3, 'other_network'), (1, 'bep20', 500, 1, null), (1, 'bep20', 9, 0, null),
        (2, 'base', 2, 1, 'other_network'), (2, 'bep20', 7, 1, null), (3, 'bep20', 9, 1, null), (3, 'bep20', 8, 3, 'no_purpose'),
        (4, 'base', 3, 2, 'other_network'), (4, 'bep20', 6, 1, null)) paid(address, network, amount, status, reason);
    insert into unswept_amounts (address_id, token, env, network, amount, retry_at)
      values (1, 'usdt', 'test', 'base', 501, now()), (3, 'usdt', 'test', 'bep20', 4, now()), (4, 'usdt', 'test', 'base', 6, null)`);
  await migrate(url);
  const { rows } =
    await pool.query(`select address_id || ' ' || network || ' ' || amount as row, retry_at is null as due
    from unswept_amounts order by 1`);
  assert.deepEqual(
    rows.map(({ row, due }) => (due ? row : `${row} later`)),
    ["1 base 1", "1 bep20 500", "2 base 2", "2 bep20 7", "3 bep20 4 later", "4 base 6", "4 bep20 6"],
  );
  await close();
});

/** The database has these migrations, by its own account. */
async function applyOnly(pool: pg.Pool, ...timestamps: readonly number[]): Promise<void> {
  await pool.query("delete from drizzle.__drizzle_migrations");
  const insert =
    "insert into drizzle.__drizzle_migrations (hash, created_at) select 'old', unnest($1::bigint[])";
  await pool.query(insert, [timestamps]);
}
