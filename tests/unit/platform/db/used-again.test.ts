/** Tests of one process use databases again (tests/support/database.ts): each is as a new one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { Db } from "#lib/platform/db/connection.ts";
import { testDatabase } from "#tests/support/database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

/** Lets a test write to a database. Returns the database of the next test, and whether it is the same one. */
async function nextDatabase(write: (db: Db, url: string) => Promise<unknown>) {
  const first = await testDatabase();
  await write(first.db, first.url);
  await first.close();
  const next = await testDatabase();
  return { next, isSame: next.url === first.url };
}

const settings = (db: Db) => db.execute(sql`select * from token_settings order by env, token`);

test("a database whose rows changed is used again with the rows and the ids of a new one", async () => {
  const made = await testDatabase();
  const { rows } = await settings(made.db);
  const id = await aMerchant(made.db, "ada@example.com");
  await made.close();
  const { next, isSame } = await nextDatabase(async (db) => {
    await aMerchant(db, "ada@example.com");
    await db.execute(sql`update token_settings set send = not send`);
    await db.execute(sql`delete from token_settings where token = 'usdt'`);
  });
  assert.equal(isSame, true);
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
    const { next, isSame } = await nextDatabase((db) => db.execute(sql.raw(statement)));
    assert.equal(isSame, false);
    await next.close();
  });

test("a database with an open connection is used by no other test", async () => {
  const opened: pg.Client[] = [];
  const { next, isSame } = await nextDatabase(async (_, connectionString) => {
    const other = new pg.Client({ connectionString });
    other.on("error", () => {});
    await other.connect();
    opened.push(other);
  });
  assert.equal(isSame, false);
  await next.close();
  // The database was dropped under it.
  for (const other of opened) await assert.rejects(other.query("select 1"));
  assert.equal(opened.length, 1);
});
