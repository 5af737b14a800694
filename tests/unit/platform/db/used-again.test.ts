/** Tests of one process use databases again (tests/support/database.ts): each is as a new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Db } from "#lib/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

/** More databases than the files before this one have left in this process. */
const ENOUGH = 5;

/** Lets a test write to a database. Returns it when it is used again, or null. */
async function usedAgain(write: (db: Db, url: string) => Promise<unknown>): Promise<TestDatabase | null> {
  const first = await testDatabase();
  await write(first.db, first.url);
  await first.close();
  const others: TestDatabase[] = [];
  let next: TestDatabase | null = null;
  while (next === null && others.length < ENOUGH) {
    const one = await testDatabase();
    if (one.url === first.url) next = one;
    else others.push(one);
  }
  for (const one of others) await one.close();
  return next;
}

const settings = (db: Db) => db.execute(sql`select * from token_settings order by env, token`);

test("a database whose rows changed is used again with the rows and the ids of a new one", async () => {
  const made = await testDatabase();
  const { rows } = await settings(made.db);
  const id = await aMerchant(made.db, "ada@example.com");
  await made.close();
  const next = await usedAgain(async (db) => {
    await aMerchant(db, "ada@example.com");
    await db.execute(sql`update token_settings set send = not send`);
    await db.execute(sql`delete from token_settings where token = 'usdt'`);
  });
  assert.ok(next !== null);
  assert.deepEqual((await settings(next.db)).rows, rows);
  assert.equal(await aMerchant(next.db, "ada@example.com"), id);
  await next.close();
});

for (const statement of [
  "create function one() returns int language sql as 'select 1'",
  "alter table merchants disable trigger all",
  "grant select (name) on merchants to public",
])
  test(`a database is used by no other test after: ${statement}`, async () => {
    assert.equal(await usedAgain((db) => db.execute(sql.raw(statement))), null);
  });

test("a database with an open connection is used by no other test", async () => {
  const opened: pg.Client[] = [];
  const next = await usedAgain(async (_, connectionString) => {
    const other = new pg.Client({ connectionString });
    other.on("error", () => {});
    await other.connect();
    opened.push(other);
  });
  assert.equal(next, null);
  // The database was dropped under it.
  for (const other of opened) await assert.rejects(other.query("select 1"));
  assert.equal(opened.length, 1);
});
