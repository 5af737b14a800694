import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import pg from "pg";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { emptyDatabase, temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cliOf = (env: Record<string, string>) => openTestCli(() => env);

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

test("migrate creates the tables of an empty database, and a second run changes nothing; it needs only MIGRATE_DATABASE_URL, and grants another role the necessary rights", async (t) => {
  const { url, close } = await emptyDatabase();
  const client = await connect(url);
  const role = `paylink "command" ${process.pid}`;
  const name = pg.escapeIdentifier(role);
  await client.query(`create role ${name} login password 'secret'`);
  t.after(async () => {
    await client.query(`drop owned by ${name}; drop role ${name}`);
    await client.end();
    await close();
  });
  const owner = { MIGRATE_DATABASE_URL: url, DATA_DIR: folder };
  const app = { DATABASE_URL: Object.assign(new URL(url), { username: role, password: "secret" }).href };
  await cliOf(app).refuses({
    "merchant list":
      /^The database role .* may not make .* MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate/,
  });
  const migrated = { migrated: true, granted: role };
  for (let i = 0; i < 2; i++) assert.deepEqual(await cliOf(owner).answer("migrate --grant", role), migrated);
  assert.deepEqual(await cliOf({ DATABASE_URL: url }).answer("migrate"), { migrated: true });
  const { rows } = await client.query(
    "select to_regclass('ledger_postings') as ours, to_regclass('webhook_attempts') as jobs",
  );
  assert.deepEqual(rows, [{ ours: "ledger_postings", jobs: "webhook_attempts" }]);
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(await cliOf(app).answer("merchant list"), []);
  await cliOf(app).refuses({
    "numbers skip":
      `the database role ${role} may not skip numbers. Run it as the owner of the tables: ` +
      "MIGRATE_DATABASE_URL=… npm run -s paylink -- numbers skip",
  });
  await cliOf({ ...app, ...owner }).answer("numbers skip");
  await cliOf(owner).refuses({ "migrate --grant nobody": 'failed: role "nobody" does not exist' });
});

test("without DATABASE_URL a command starts the embedded server for its own run, or uses the running one, and makes the tables there alone", async (t) => {
  const other = await emptyDatabase();
  t.after(other.close);
  const data = join(folder, "data");
  const cli = cliOf({ DATA_DIR: data, SECRET_KEY, MIGRATE_DATABASE_URL: other.url });
  const made = await cli.run("merchant create --email shop@example.com --name Shop");
  // Without this line, who forgot DATABASE_URL would take the new database for the right one.
  const message = `DATABASE_URL is not set: making a new, empty database in ${data}\n`;
  assert.deepEqual([made.status, made.stderr], [0, message]);
  const isRunning = () => existsSync(join(data, "postgres/data/postmaster.pid"));
  assert.equal(isRunning(), false);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  const list = async () => (await cli.answer<Row[]>("merchant list")).map(({ email }) => email);
  assert.deepEqual(await list(), ["shop@example.com"]);
  assert.equal(isRunning(), false);

  // Variables of a demo replace absent ones, except its database URL.
  const gone = "postgres://gone:gone@127.0.0.1:1/gone";
  writeFileSync(join(data, "demo.env"), `DATABASE_URL=${gone}\nSECRET_KEY=${SECRET_KEY}\n`);
  await cliOf({ DATA_DIR: data }).answer("merchant create --email a@example.com --name A");
  await cliOf({ DATA_DIR: data, SECRET_KEY: "short" }).refuses({
    "merchant list": /SECRET_KEY must have at least 32 characters/,
  });

  const server = await startEmbedded(data, { durable: false });
  t.after(() => server.stop());
  assert.deepEqual((await list()).sort(), ["a@example.com", "shop@example.com"]);
  const client = await connect(server.url);
  assert.equal((await client.query("select * from merchants")).rowCount, 2);
  await client.end();

  const owned = await connect(other.url);
  const { rows } = await owned.query("select to_regclass('merchants') as present");
  await owned.end();
  assert.deepEqual(rows, [{ present: null }]);
});

test("numbers skip skips numbers that a lost database may have used, and records it", async (t) => {
  const { database, url, close } = await testDatabase();
  t.after(close);
  const next = async () => {
    const insert = "insert into merchants (email, name) values (gen_random_uuid(), 'Shop') returning id::int";
    return (await database.pool.query(insert)).rows[0].id;
  };
  assert.equal(await next(), 1);
  assert.deepEqual(await cliOf({ DATABASE_URL: url }).answer("numbers skip"), { skipped: 1_000_000 });
  assert.equal(await next(), 1_000_002);
  const { rows } = await database.pool.query("select id::int, action, details from audit_log");
  assert.deepEqual(rows, [{ id: 1_000_001, action: "numbers.skip", details: { ahead: 1_000_000 } }]);
});
