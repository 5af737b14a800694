/** The database and the key of `paylink setup`. */
import assert from "node:assert/strict";
import { chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkSecrets } from "#lib/domain/database/check-secrets.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { startFakePooler } from "#tests/support/fake-pooler.ts";
import { folderOf } from "#tests/support/folders.ts";
import {
  type Answers,
  findTables,
  isRoot,
  openSetupWorld,
  query,
  SECRET_KEY,
  setUp,
  takePort,
  valuesOf,
} from "./run-setup.ts";

const { t, newDatabase, answersOf } = await openSetupWorld();

const OF_THE_ENVIRONMENT = "environment-secret-0123456789-0123456789";

test("the SECRET_KEY of the environment is used, and other values there are named", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  const env = { DATA_DIR: join(folder, "data"), USER: "ada", SECRET_KEY: OF_THE_ENVIRONMENT };
  const first = await setUp(folder, answersOf(url, free), env);
  assert.equal(first.status, 0, first.said);
  assert.doesNotMatch(first.said, /SECRET_KEY was made|The environment has other values/);
  assert.equal(valuesOf(first.file).SECRET_KEY, OF_THE_ENVIRONMENT);

  writeFileSync(first.file, `SECRET_KEY=${SECRET_KEY}\nLOG_LEVEL=debug\n`);
  const second = await setUp(folder, answersOf(url, free), { ...env, LOG_LEVEL: "warn" });
  assert.equal(second.status, 0, second.said);
  assert.match(
    second.said,
    /The environment has other values than \.env, and wins: LOG_LEVEL, SECRET_KEY\. Remove/,
  );
  assert.equal(valuesOf(first.file).SECRET_KEY, SECRET_KEY);
  const database = openDatabase(url, { max: 1, applicationName: "test" });
  const { unreadable } = await checkSecrets(database.db, openSecrets(OF_THE_ENVIRONMENT));
  await database.close();
  assert.equal(unreadable, 0);
});

test("a database with secrets needs the key that encrypted them", async (context) => {
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  const start = async (text: string | null, ...first: Answers) => {
    const folder = folderOf(context);
    if (text !== null) writeFileSync(join(folder, ".env"), text);
    const run = await setUp(folder, answersOf(url, free, ...first));
    assert.equal(run.status, 0, run.said);
    return { said: run.said, values: valuesOf(run.file) };
  };
  await start(`SECRET_KEY=${SECRET_KEY}\n`);

  const lost = await start(null, [/encrypted them/, "short", OF_THE_ENVIRONMENT, SECRET_KEY]);
  assert.match(lost.said, /has encrypted secrets, and SECRET_KEY is missing/);
  assert.match(lost.said, /SECRET_KEY must have at least 32 characters/);
  assert.match(lost.said, /This key does not open them either/);
  assert.doesNotMatch(lost.said, /SECRET_KEY was made/);
  assert.equal(lost.values.SECRET_KEY, SECRET_KEY);

  const other = await start(`SECRET_KEY=${OF_THE_ENVIRONMENT}\n`, [/encrypted them/, SECRET_KEY]);
  assert.match(other.said, /SECRET_KEY does not open them/);
  assert.deepEqual(
    [other.values.SECRET_KEY, other.values.SECRET_KEY_PREVIOUS],
    [OF_THE_ENVIRONMENT, SECRET_KEY],
  );
});

test("the embedded database of a lost .env needs the key that encrypted its secrets", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const first = await setUp(folder, answersOf("", free));
  assert.equal(first.status, 0, first.said);
  const { SECRET_KEY: key } = valuesOf(first.file);
  rmSync(first.file);
  const second = await setUp(folder, answersOf("", free, [/encrypted them/, key!]));
  assert.equal(second.status, 0, second.said);
  assert.match(second.said, /has encrypted secrets, and SECRET_KEY is missing/);
  assert.equal(valuesOf(second.file).SECRET_KEY, key);
});

test("MIGRATE_DATABASE_URL of another database is not migrated, and a new .env is its folder's owner's", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const [other, url] = [await newDatabase(context), await newDatabase(context)];
  if (isRoot) chownSync(folder, 1234, 1234);
  const env = { DATA_DIR: join(folder, "data"), USER: "ada", MIGRATE_DATABASE_URL: other };
  const run = await setUp(folder, answersOf(url, free), env);
  assert.equal(run.status, 0, run.said);
  assert.match(run.said, /MIGRATE_DATABASE_URL is not used/);
  assert.deepEqual([await findTables(other), await findTables(url)], [null, "merchants"]);
  assert.equal(statSync(run.file).uid, statSync(folder).uid);
  assert.match(
    run.said,
    isRoot ? /is written\. Only its owner, user 1234, can read it\./ : /Only you can read it\./,
  );
});

test("a pooler needs DATABASE_DIRECT_URL, of the same database, which is then migrated", async (context) => {
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  const pooled = await startFakePooler(context, url);
  const alone = await setUp(folderOf(context), answersOf(t.url, free, [/^PostgreSQL/, pooled]));
  assert.equal(alone.status, 0, alone.said);
  assert.match(
    alone.said,
    /DATABASE_DIRECT_URL, or without it DATABASE_URL, must be the address of PostgreSQL/,
  );
  assert.equal(await findTables(url), null);

  const folder = folderOf(context);
  const env = { DATA_DIR: join(folder, "data"), USER: "ada", DATABASE_DIRECT_URL: url };
  const run = await setUp(folder, answersOf(pooled, free, [/^PostgreSQL/, t.url]), env);
  assert.equal(run.status, 0, run.said);
  assert.match(run.said, /must be addresses of the same database, and they are not/);
  assert.equal(await findTables(url), "merchants");
  assert.equal(valuesOf(run.file).DATABASE_URL, pooled);
});

test("a database of an older version is migrated only after a question", async (context) => {
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  await query(url, "create table merchants ()");
  const run = await setUp(
    folderOf(context),
    answersOf(t.url, free, [/^PostgreSQL/, url], [/Migrate it now/, ""]),
  );
  assert.match(run.said, /is of an older version of Paylink.*Stop its web and worker processes first/);
  assert.match(run.said, /It was not migrated/);
  assert.equal(await query(url, "select to_regclass('drizzle.__drizzle_migrations')::text as found"), null);
});
