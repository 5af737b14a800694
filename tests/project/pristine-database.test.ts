/** A test's database is used again only if it is as new. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { testDatabase } from "#tests/support/database.ts";
import { readPristine, restorePristine } from "#tests/support/pristine-database.ts";

const { url, close } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
after(async () => {
  await client.end();
  await close();
});
const pristine = await readPristine(client);

test("has the rows and the next numbers of a new one again", async () => {
  const insert = "insert into merchants (email, name) values ('shop@example.com', 'Shop') returning id";
  const { rows: first } = await client.query(insert);
  await client.query("delete from network_settings");
  // It takes a number and stores no row.
  await assert.rejects(client.query("insert into payment_links (merchant_id) values (null)"));
  assert.equal(await restorePristine(client, pristine), true);
  assert.deepEqual(await readPristine(client), pristine);
  assert.deepEqual((await client.query(insert)).rows, first);
});

/** `analyze` comes last: a rollback does not undo it. */
const CHANGES = [
  "create table extra (id int)",
  "alter table merchants add column extra int",
  "alter table merchants alter column name drop not null",
  "alter table merchants disable trigger all",
  "drop index deposits_pending",
  "create function extra() returns int language sql as 'select 1'",
  "grant select on merchants to public",
  "alter default privileges grant select on tables to public",
  "analyze merchants",
];

for (const change of CHANGES)
  test(`is not used again after: ${change}`, async () => {
    await client.query("begin");
    await client.query(change);
    assert.equal(await restorePristine(client, pristine), false);
    await client.query("rollback");
  });
