import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { migrate } from "#lib/db/migrate.ts";
import { emptyDatabase, testDatabase } from "#tests/support/database.ts";

test("a test database has our tables and the job queue's, and is empty", async () => {
  const { database, close } = await testDatabase();
  const tables = await database.pool.query(
    "select to_regclass('payment_links') as links, to_regclass('webhook_attempts') as jobs",
  );
  assert.deepEqual(tables.rows, [{ links: "payment_links", jobs: "webhook_attempts" }]);
  const merchants = await database.pool.query("select * from merchants");
  assert.equal(merchants.rowCount, 0);
  await close();
});

test("two test databases do not see each other's rows", async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await one.database.pool.query("insert into merchants (email, name) values ('a@b.c', 'A')");
  const seen = await two.database.pool.query("select * from merchants");
  assert.equal(seen.rowCount, 0);
  await Promise.all([one.close(), two.close()]);
});

test("five programs that migrate an empty database at once all succeed, and a sixth changes nothing", async () => {
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
