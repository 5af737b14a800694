import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { readMigrations } from "#lib/platform/db/migrate.ts";
import { emptyDatabase } from "#tests/support/database.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { openTestCli } from "#tests/support/run-cli.ts";

const JOURNAL = "lib/platform/db/migrations/meta/_journal.json";
const ROOT = join(import.meta.dirname, "../../../..");
const t = await databaseOfFile();
const folder = folderOfFile();
const cli = openTestCli(() => ({ DATABASE_URL: t.url }));

/** A newer version with two more migrations. */
const tree = join(folder, "new");
mkdirSync(dirname(join(tree, JOURNAL)), { recursive: true });
const journal = JSON.parse(readFileSync(join(ROOT, JOURNAL), "utf8"));
for (const [place, tag] of ["9998_prices", "9999_sums"].entries())
  journal.entries.push({ when: 9e12 + place, tag });
writeFileSync(join(tree, JOURNAL), JSON.stringify(journal));
writeFileSync(join(tree, "package.json"), JSON.stringify({ name: "paylink", version: "9.0.0" }));
writeFileSync(
  join(tree, "CHANGELOG.md"),
  "# Changelog\n\n## Unreleased\n\n## 9.0.0 - 2027-01-01\n\n### Upgrade\n\n- Stop the workers.\n\n## 1.0.0 - 2026-11-27\n\n### Upgrade\n\n- No.\n",
);

test("says what a new version would run, what still runs, and what its changelog asks for; changes nothing", async (context) => {
  const server = openDatabase(t.url, { max: 1, applicationName: "paylink listener" });
  context.after(server.close);
  await server.pool.query("select 1");
  const applied = "select * from drizzle.__drizzle_migrations order by id";
  const before = (await t.database.pool.query(applied)).rows;
  const answer = await cli.answer(`update --check --tree ${tree} --from 1.0.0`);
  assert.deepEqual(answer.installed, "1.0.0");
  assert.deepEqual(answer.new, { folder: tree, version: "9.0.0", built: false });
  assert.deepEqual(answer.upgrade, [{ version: "9.0.0", text: "- Stop the workers." }]);
  const { running, ...database } = answer.database as { running: { server: number } };
  assert.deepEqual(database, {
    applied: before.length,
    newest: readMigrations().at(-1)?.tag,
    would_run: ["9998_prices", "9999_sums"],
  });
  assert.ok(running.server >= 1);
  assert.deepEqual((await t.database.pool.query(applied)).rows, before);

  const screen = await cli.run(`update --check --table --tree ${tree} --from 1.0.0`);
  assert.deepEqual([screen.status, screen.stderr], [0, ""]);
  assert.match(screen.stdout, /^would run +9998_prices, 9999_sums$/m);
  assert.match(screen.stdout, /^processes +connected to the database: server [1-9]/m);
  assert.match(screen.stdout, /^new +9\.0\.0 in .*: not built yet/m);
  assert.match(screen.stdout, /^Upgrade to 9\.0\.0:\n- Stop the workers\.$/m);
});

test("its own tree has no migration that a current database lacks, and an empty one lacks all", async (context) => {
  const { database } = await cli.answer("update --check");
  assert.partialDeepStrictEqual(database, { would_run: [] });
  const empty = await emptyDatabase();
  context.after(empty.close);
  const of = openTestCli(() => ({ DATABASE_URL: empty.url }));
  assert.partialDeepStrictEqual((await of.answer("update --check")).database, {
    ...{ applied: 0, newest: null },
    would_run: readMigrations().map(({ tag }) => tag),
  });
  assert.match(
    (await of.run("update --check --table")).stdout,
    /^migrations +0 in the database, the newest none$/m,
  );
});

test("a database of a newer version than the tree is named so", async () => {
  const old = join(folder, "old");
  cpSync(tree, old, { recursive: true });
  const { entries } = JSON.parse(readFileSync(join(ROOT, JOURNAL), "utf8"));
  writeFileSync(join(old, JOURNAL), JSON.stringify({ entries: entries.slice(0, 1) }));
  assert.partialDeepStrictEqual((await cli.answer(`update --check --tree ${old} --from 1.0.0`)).database, {
    ...{ newest: null, would_run: [] },
  });
  const { stdout } = await cli.run(`update --check --table --tree ${old} --from 1.0.0`);
  assert.match(stdout, /the newest unknown to the new version$/m);
});

test("makes no database, and refuses what it cannot read", async () => {
  const data = join(folder, "data");
  const none = openTestCli(() => ({ DATA_DIR: data }));
  assert.equal((await none.answer("update --check")).database, null);
  assert.equal(existsSync(data), false);
  await cli.refuses({ [`update --check --tree ${folder}`]: /is not a folder with Paylink/ });
  await cli.misuses(/--check/, "update");
  await openTestCli(() => ({ DATABASE_URL: "postgres://a:b@127.0.0.1:1/none" })).refuses({
    "update --check": /^nothing listens at 127\.0\.0\.1:1/,
  });
  const unknown = await cli.run(`update --check --tree ${tree} --from 0.1.0`);
  assert.match(unknown.stderr, /^The changelog does not have version 0\.1\.0/);
  assert.deepEqual(readdirSync(tree).sort(), ["CHANGELOG.md", "lib", "package.json"]);
});
