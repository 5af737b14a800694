/**
 * A Paylink on PostgreSQL 17 or older with the two roles of docs/operate/database.md, backed up with that version's
 * pg_dump.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { switchCluster, temporaryFolder } from "#tests/support/database.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { openFaultStack } from "#tests/support/fault-stack.ts";
import { OLDER_POSTGRES, startPostgres17 } from "#tests/support/postgres-17.ts";
import { runCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";
import { restoreScenario } from "./restore-scenario.ts";

for (const programs of [undefined, ...OLDER_POSTGRES]) {
  const version = programs === undefined ? "PostgreSQL 17" : programs;
  test(`restores a dump of ${version}, made while a worker credits, into a new database`, (t) =>
    restoreDump(t, programs));
}

async function restoreDump(t: TestContext, programs?: string): Promise<void> {
  const folder = temporaryFolder();
  const dump = join(folder, "paylink.dump");
  const server = await startPostgres17(programs);
  // Clients instead of a pool: a pool's end() resolves before its connections are closed, and the server
  // stops after it.
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await server.makeRoles();
  // For the database of this test, in addition to the one that they come with.
  await admin.query("alter role paylink_owner createdb");
  const switchBack = switchCluster(server.urlOf("paylink_owner", "postgres"));
  const stack = await openFaultStack(await openEvmChain());
  switchBack();
  const owner = stack.env.DATABASE_URL!;
  const database = new URL(owner).pathname.slice(1);
  const app = server.urlOf("paylink_app", database);
  const migrate = async () => {
    const run = await runCli({ MIGRATE_DATABASE_URL: owner }, "migrate", "--grant", "paylink_app");
    assert.deepEqual([run.status, run.json()], [0, { migrated: true, granted: "paylink_app" }], run.stderr);
  };
  const restricted = new pg.Client({ connectionString: app });
  t.after(async () => {
    await restricted.end();
    await stack.close();
    await admin.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await migrate();
  const major = /postgresql\/(\d+)/.exec(programs ?? "")?.[1] ?? "17";
  assert.ok((await admin.query("show server_version")).rows[0].server_version.startsWith(`${major}.`));

  await restoreScenario("dump", stack, {
    env: { DATABASE_URL: app },
    ownerEnv: { MIGRATE_DATABASE_URL: owner },
    async backUp(_, pay) {
      // No worker writes there: the dump has its snapshot and waits. Credits from now on are not in it.
      const session = await stack.pool.connect();
      await session.query("begin; lock table audit_log");
      const dumping = server.run("pg_dump", "--format=custom", `--file=${dump}`, `--dbname=${owner}`);
      await until("the dump to be under way", async () => {
        const waiting = "select 1 from pg_locks where relation = 'audit_log'::regclass and not granted";
        return (await session.query(waiting)).rows.length > 0;
      });
      const { refid } = await pay();
      await until("a credit meanwhile", async () => (await stack.linkState(refid)) === "completed", {
        withinMs: 60_000,
      });
      await session.query("commit");
      session.release();
      await dumping;
    },
    async lose() {
      await admin.query(`drop database ${database} with (force)`);
    },
    async restore() {
      await admin.query(`create database ${database} owner paylink_owner`);
      const how = ["--no-owner", "--no-privileges", "--exit-on-error"];
      await server.run("pg_restore", ...how, `--dbname=${owner}`, dump);
      await migrate();
    },
  });

  await restricted.connect();
  for (const table of ["ledger_postings", "ledger_transfers", "audit_log"]) {
    await assert.rejects(restricted.query(`delete from ${table}`), { code: "42501" }, table);
    await assert.rejects(stack.pool.query(`delete from ${table}`), /append-only/, table);
  }
}
