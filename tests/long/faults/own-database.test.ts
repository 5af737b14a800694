/**
 * The setup of compose.yaml and docs/operate/database.md: roles.sql, `migrate` as the owner, then everything
 * else as the program's role.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startServer } from "#lib/demo/server-process.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { keepSecretsOf, serverLog } from "#tests/support/kept-logs.ts";
import { OLDER_POSTGRES, startPostgres17 } from "#tests/support/postgres-17.ts";
import { runCli } from "#tests/support/run-cli.ts";

for (const programs of [undefined, ...OLDER_POSTGRES]) {
  const version = programs === undefined ? "" : ` (${programs})`;
  test(`web and worker run with the program's role alone, on the owner's migrated database${version}`, (t) =>
    runWithProgramsRole(t, programs));
}

async function runWithProgramsRole(t: TestContext, programs?: string): Promise<void> {
  const folder = temporaryFolder();
  const server = await startPostgres17(programs);
  const stops: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const stop of stops) await stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await server.makeRoles();
  const url = server.urlOf("paylink_app", "paylink");
  const start = async (role: "web" | "worker") => {
    const [port, operations] = [await choosePort(0), await choosePort(0)];
    const env = {
      ...{ DATABASE_URL: url, SECRET_KEY: "a secret key for tests, at least 32 long", ROLES: role },
      ...{ DATA_DIR: join(folder, role), PORT: String(port), OPERATIONS_PORT: String(operations) },
      FIXED_RATES: "usdt/usd=1,btc/usd=60000",
    };
    keepSecretsOf(env);
    const { stop } = await startServer(env, serverLog(folder, role));
    stops.push(stop);
    const ready = await fetch(`http://127.0.0.1:${operations}/readyz`);
    return { port, status: ready.status, body: await ready.json() };
  };
  await assert.rejects(start("web"), /may not make the migrations .* migrate --grant paylink_app/);

  const owner = { MIGRATE_DATABASE_URL: server.urlOf("paylink_owner", "paylink") };
  const migrated = await runCli(owner, "migrate", "--grant", "paylink_app");
  assert.equal(migrated.status, 0, migrated.stderr);
  const web = await start("web");
  const worker = await start("worker");
  for (const { status, body } of [web, worker]) {
    assert.deepEqual([status, body.migrations], [200, "ok"]);
  }
  assert.equal((await fetch(`http://127.0.0.1:${web.port}/v1/openapi.json`)).status, 200);

  const checked = await runCli({ DATABASE_URL: url }, "ledger", "check");
  assert.equal(checked.status, 0, checked.stderr);
  const app = openDatabase(url);
  await assert.rejects(app.pool.query("alter table ledger_postings disable trigger all"), { code: "42501" });
  await assert.rejects(app.pool.query("set role paylink_owner"), { code: "42501" });
  await app.close();
}
