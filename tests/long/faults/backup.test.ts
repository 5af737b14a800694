/** Backups of the real pg_dump: what is restored is what was backed up, and nothing that was interrupted looks whole. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { openNetworks } from "#lib/chains/registry.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { fund } from "#tests/support/fund.ts";
import { findPostgres17, type Postgres17, startPostgres17 } from "#tests/support/postgres-17.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";

const MAIN = join(import.meta.dirname, "../../../lib/cli/main.ts");
const folder = temporaryFolder();
const backups = join(folder, "backups");
mkdirSync(backups);
const xpub = createWallet().accounts.find(({ env, network }) => env === "test" && network === "bep20")!.xpub;
const NETWORK = { TEST_BEP20_XPUB: xpub, TEST_BEP20_RPC_URL: "http://127.0.0.1:1" };
const SECRET_KEY = "the-key-of-the-backup-test-of-forty-characters";

let server: Postgres17;
let admin: pg.Client;
let programs = "";
before(async () => {
  const found = await findPostgres17();
  assert.ok(found.ok);
  programs = found.folder;
  server = await startPostgres17();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await server.makeRoles();
  await cliOf("paylink").answer("migrate --grant paylink_app");
});
after(async () => {
  await admin.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const variablesOf = (database: string) => ({
  ...{ PATH: `${programs}:/usr/bin:/bin`, SECRET_KEY, BACKUP_DIR: backups, ...NETWORK },
  DATABASE_URL: server.urlOf("paylink_app", database),
  MIGRATE_DATABASE_URL: server.urlOf("paylink_owner", database),
});
const cliOf = (database: string) => openTestCli(() => variablesOf(database));

/** Starts the command in a process of its own, to kill it. */
function start(database: string, line: string): ChildProcess {
  const env = { NODE_ENV: "test", ...variablesOf(database) } as const;
  return spawn(process.execPath, [MAIN, ...line.split(" ")], { cwd: folder, env, stdio: "ignore" });
}

async function makeEmpty(name: string): Promise<void> {
  await admin.query(`create database ${name} owner paylink_owner`);
}

/** Allocates an address of the merchant and returns its index. */
async function allocate(database: string): Promise<number> {
  const { db, pool, close } = openDatabase(server.urlOf("paylink_app", database), { max: 2 });
  const adapter = openNetworks(readCommandConfig(NETWORK).networks).find("test", "bep20")!;
  await anAddress(db, adapter, (await pool.query("select min(id)::int as id from merchants")).rows[0].id);
  const { rows } = await pool.query("select index from addresses order by id desc limit 1");
  await close();
  return rows[0].index;
}

const tablesOf = async (database: string) => {
  const client = new pg.Client({ connectionString: server.urlOf("paylink_owner", database) });
  await client.connect();
  const { rows } = await client.query(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  );
  await client.end();
  return rows.map(({ tablename }) => tablename as string);
};

test("a restored backup has the same rows and sums, opens its secrets, and allocates no address of the lost days again", async () => {
  const cli = cliOf("paylink");
  await cli.run(
    "merchant create --email shop@example.com --name Shop --webhook-url https://shop.example/hooks",
  );
  const owner = openDatabase(server.urlOf("paylink_owner", "paylink"), { max: 2 });
  await fund(owner.db, { merchantId: 1, token: "usdt", amount: "12.345678" }, new Date());
  await owner.close();
  assert.equal(await allocate("paylink"), 0);
  const balances = await cli.answer<Row[]>("ledger balances --env test");
  const made = await cli.answer("backup");
  assert.ok(Number(made.bytes) > 10_000);
  assert.deepEqual(readdirSync(backups), [String(made.backup).split("/").at(-1)]);
  const doctor = await cli.run("doctor");
  const rows = doctor.json() as Row[];
  assert.match(String(rows.find(({ check }) => check === "backup")?.found), /is 0 hours old/);
  const lost = [await allocate("paylink"), await allocate("paylink")];
  assert.deepEqual(lost, [1, 2]);

  await makeEmpty("restored");
  const run = await cliOf("restored").run(`restore ${made.backup} --skip-addresses 20 --grant paylink_app`);
  assert.equal(run.status, 0, run.stderr);
  assert.partialDeepStrictEqual(run.json(), {
    ...{ restored: made.backup, rows: made.rows, ledger_ok: true, migrated: 0, secrets: "opened" },
    skipped: [{ env: "test", network: "bep20", skipped: 20, next_index: 21 }],
  });
  assert.match(run.stderr, /"After a restore" in docs\/operate\/backup\.md/);
  assert.deepEqual(await cliOf("restored").answer("ledger balances --env test"), balances);
  assert.equal((await cliOf("restored").answer("ledger check")).ok, true);
  assert.equal(await allocate("restored"), 21);
  assert.deepEqual(await tablesOf("restored"), await tablesOf("paylink"));
  const audit = await cliOf("restored").answer<{ id: number; action: string }[]>("audit list");
  assert.ok(audit.some(({ action }) => action === "numbers.skip"));
  assert.ok(Math.max(...audit.map(({ id }) => id)) > 1_000_000, "numbers are skipped");

  await makeEmpty("other_key");
  const other = openTestCli(() => ({
    ...variablesOf("other_key"),
    SECRET_KEY: "another-key-of-at-least-32-characters",
  }));
  const refused = await other.run(`restore ${made.backup} --skip-addresses 0`);
  assert.equal(refused.status, 1);
  assert.equal((refused.json() as Row).secrets, "not opened");
  assert.match(refused.stderr, /SECRET_KEY does not open its secrets/);
});

test("a backup that is killed leaves no folder with the name of a backup", async () => {
  const locking = new pg.Client({ connectionString: server.urlOf("paylink_owner", "paylink") });
  await locking.connect();
  await locking.query("begin; lock table audit_log");
  const out = join(folder, "killed");
  const child = start("paylink", `backup --out ${out}`);
  await until("pg_dump to wait", async () => {
    const { rows } = await locking.query(
      "select 1 from pg_locks where relation = 'audit_log'::regclass and not granted",
    );
    return rows.length > 0;
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  await locking.query("rollback");
  await locking.end();
  assert.deepEqual([existsSync(out), existsSync(`${out}.part`)], [false, true]);
  await cliOf("paylink").refuses({
    [`backup --out ${out}`]: /another backup is being made there, or one was interrupted/,
  });
  const done = await cliOf("paylink").answer(`backup --out ${out}-again`);
  assert.ok(existsSync(join(String(done.backup), "manifest.json")));
});

test("a restore that is killed leaves an empty database that no process starts on, and is repeated", async () => {
  const out = join(folder, "for-kill");
  await cliOf("paylink").answer(`backup --out ${out}`);
  await makeEmpty("cut");
  const superuser = new pg.Client({ connectionString: server.url.replace(/\/postgres$/, "/cut") });
  await superuser.connect();
  // Data comes before triggers: the restore waits when it has loaded all rows.
  await superuser.query("begin; lock table pg_trigger in share mode");
  const child = start("cut", `restore ${out} --skip-addresses 5`);
  const waiting = "select pid from pg_locks where relation = 'pg_trigger'::regclass and not granted";
  await until("pg_restore to wait", async () => (await superuser.query(waiting)).rows.length > 0, {
    withinMs: 60_000,
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  const { rows } = await superuser.query(waiting);
  await superuser.query("select pg_terminate_backend($1)", [rows[0].pid]);
  await superuser.query("rollback");
  await superuser.end();
  await until("the transaction to end", async () => (await tablesOf("cut")).length === 1);
  assert.deepEqual(await tablesOf("cut"), ["unfinished_restore"]);
  await cliOf("cut").refuses({ migrate: /This database was not restored completely/ });
  const run = await cliOf("cut").run(`restore ${out} --skip-addresses 5 --grant paylink_app`);
  assert.equal(run.status, 0, run.stderr);
  await cliOf("cut").answer("migrate");
  assert.deepEqual(await tablesOf("cut"), await tablesOf("paylink"));
});
