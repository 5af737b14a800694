/** Backup and restore with programs that play pg_dump and pg_restore. tests/long/faults/backup.test.ts has the real ones. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { openNetworks } from "#lib/chains/registry.ts";
import { listUnwatched } from "#lib/cli/backup/unwatched-networks.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { connectionVariables, findDumpProgram } from "#lib/platform/db/dump-programs.ts";
import { migrate } from "#lib/platform/db/migrate.ts";
import { isEmptyDatabase, isRestoreUnfinished, markRestore } from "#lib/platform/db/unfinished-restore.ts";
import { emptyDatabase } from "#tests/support/database.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { callCli, openTestCli } from "#tests/support/run-cli.ts";

const t = await databaseOfFile();
const folder = folderOfFile();
const programs = join(folder, "programs");
mkdirSync(programs);

const NOW = new Date("2026-11-28T10:20:30.400Z");
const { rows: versions } = await t.database.pool.query(
  "select current_setting('server_version_num')::int / 10000 as major",
);
const major: number = versions[0].major;

/** Makes a program of a version that does these lines of a shell. `$file` is the path of --file. */
function play(program: "pg_dump" | "pg_restore", lines: string, version = major): void {
  const path = join(programs, program);
  const head = `#!/bin/sh\n[ "$1" = --version ] && { echo "${program} (PostgreSQL) ${version}.1"; exit; }\n`;
  const words = `for word; do case $word in --file=*) file="\${word#--file=}";; esac; done\n`;
  writeFileSync(path, `${head}${words}${lines}\n`);
  chmodSync(path, 0o755);
}
const WORKS = 'echo "dump $*" > "$file"; env >> "$file"';

const PATH = `${programs}:/usr/bin:/bin`;
const backups = join(folder, "backups");
mkdirSync(backups);
const url = Object.assign(new URL(t.url), {}).href;
const cli = openTestCli(() => ({ DATABASE_URL: url, PATH, BACKUP_DIR: backups }), { now: () => NOW });

afterEach(() => play("pg_dump", WORKS));

test("a backup is a folder named after the time, for its owner alone, with the dump and what the database has", async () => {
  play("pg_dump", WORKS);
  const answer = await cli.answer("backup");
  const path = join(backups, "paylink-2026-11-28T10-20-30Z");
  assert.partialDeepStrictEqual(answer, {
    backup: path,
    seconds: 0,
    ledger_ok: true,
    journal_transactions: null,
  });
  assert.deepEqual(readdirSync(path).sort(), ["database.dump", "manifest.json"]);
  assert.deepEqual(
    [path, ...readdirSync(path).map((name) => join(path, name))].map((one) => statSync(one).mode & 0o777),
    [0o700, 0o600, 0o600],
  );
  const manifest = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"));
  const dump = readFileSync(join(path, "database.dump"));
  assert.equal(answer.bytes, dump.length);
  assert.deepEqual(manifest.database, {
    bytes: dump.length,
    sha256: createHash("sha256").update(dump).digest("hex"),
  });
  assert.equal(manifest.made_at, "2026-11-28T10:20:30.400Z");
  assert.equal(manifest.content.tables.merchants, 0);
  assert.ok(Object.keys(manifest.content.tables).length > 30);
});

test("the password is in the program's environment and not among its arguments", async () => {
  await cli.answer(`backup --out ${join(folder, "arguments")}`);
  const [words = "", ...variables] = readFileSync(join(folder, "arguments/database.dump"), "utf8").split(
    "\n",
  );
  const { password } = new URL(t.url);
  assert.ok(password.length > 10);
  assert.ok(!words.includes(password), "no password among the arguments");
  assert.match(words, /--format=custom .*--snapshot=\S+/);
  assert.ok(variables.includes(`PGPASSWORD=${decodeURIComponent(password)}`));
  assert.ok(!variables.some((line) => line.startsWith("SECRET_KEY=")));
});

test("a backup never replaces anything, and one that fails leaves nothing", async () => {
  const out = join(folder, "twice");
  await cli.answer(`backup --out ${out}`);
  const before = readFileSync(join(out, "database.dump"));
  mkdirSync(join(folder, "running.part"));
  await cli.refuses({
    [`backup --out ${out}`]: `${out} exists already: choose another --out`,
    [`backup --out ${join(folder, "running")}`]: /running\.part exists: another backup is being made there/,
    [`backup --out ${join(folder, "no/such")}`]: /no\/such\.part cannot be made \(ENOENT\)/,
  });
  assert.deepEqual(readFileSync(join(out, "database.dump")), before);
  play("pg_dump", 'echo half > "$file"; echo "server closed the connection" >&2; exit 1');
  await cli.refuses({
    [`backup --out ${join(folder, "failed")}`]: /pg_dump failed: server closed the connection/,
  });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("failed")),
    [],
  );
});

test("where to write, and pg_dump of another version, are refused with what to do", async () => {
  play("pg_dump", WORKS, major - 1);
  await cli.refuses({
    [`backup --out ${join(folder, "version")}`]: new RegExp(
      `^pg_dump of PostgreSQL ${major} was not found.*postgresql-client-${major}`,
    ),
  });
  await openTestCli(() => ({ DATABASE_URL: url })).refuses({
    backup: "where to? Set BACKUP_DIR to the folder of all backups, or give --out",
  });
  assert.equal(existsSync(join(folder, "version")), false);
});

test("the journal's whole lines are copied, and a damaged journal is refused", async () => {
  const journal = join(folder, "journal.jsonl");
  writeFileSync(journal, '{"begun":');
  const out = join(folder, "with-journal");
  const answer = await cli.answer(`backup --out ${out} --journal ${journal}`);
  assert.equal(answer.journal_transactions, 0);
  assert.equal(readFileSync(join(out, "journal.jsonl"), "utf8"), "");
  assert.equal(readFileSync(journal, "utf8"), '{"begun":');
  writeFileSync(journal, "{}\n");
  await cli.refuses({
    [`backup --out ${join(folder, "bad")} --journal ${journal}`]: /line 1 of the journal is damaged/,
    [`backup --out ${join(folder, "bad")} --journal ${folder}/none`]: /--journal cannot be read/,
  });
  assert.equal(existsSync(join(folder, "bad")), false);
});

test("an empty database, and one that was not restored completely, are not backed up", async (context) => {
  const empty = await emptyDatabase();
  context.after(empty.close);
  const of = openTestCli(() => ({ DATABASE_URL: empty.url, PATH }));
  const line = `backup --out ${join(folder, "none")}`;
  await of.refuses({ [line]: "the database has no tables of Paylink: nothing to back up" });
  await mark(empty.url);
  await of.refuses({ [line]: /not restored completely/ });
});

async function mark(at: string): Promise<void> {
  const { db, close } = openDatabase(at, { max: 1 });
  await markRestore(db);
  await close();
}

test("no process starts on a database that was not restored completely", async (context) => {
  const empty = await emptyDatabase();
  context.after(empty.close);
  await mark(empty.url);
  await assert.rejects(migrate(empty.url), { name: "MigrationError", message: /not restored completely/ });
  const { db, pool, close } = openDatabase(empty.url, { max: 1 });
  assert.deepEqual([await isEmptyDatabase(db), await isRestoreUnfinished(db)], [true, true]);
  // A role without any rights, as the signer's before the restore grants them.
  await pool.query("revoke usage on schema public from public");
  await pool.query("drop role if exists without_rights");
  await pool.query("create role without_rights");
  await pool.query("set role without_rights");
  assert.equal(await isRestoreUnfinished(db), true);
  await close();
});

test("restore changes nothing in a database that is not empty", async () => {
  const out = join(folder, "for-restore");
  await cli.answer(`backup --out ${out}`);
  play("pg_restore", "exit 0");
  const line = `restore ${out} --skip-addresses 0`;
  await cli.refuses({ [line]: /^the database is not empty, and nothing in it was changed/ });
  assert.equal(await isRestoreUnfinished(t.db), false);
});

test("a backup that is missing, interrupted, damaged or of a newer version is not restored", async (context) => {
  const empty = await emptyDatabase();
  context.after(empty.close);
  const of = openTestCli(() => ({ DATABASE_URL: empty.url, PATH }));
  play("pg_restore", "exit 0");
  const out = join(folder, "damaged");
  await cli.answer(`backup --out ${out}`);
  const line = `restore ${out} --skip-addresses 0`;
  const [dump, manifest] = [join(out, "database.dump"), join(out, "manifest.json")];
  const whole = readFileSync(manifest, "utf8");

  await of.misuses(/--skip-addresses/, `restore ${out}`);
  await of.misuses(/at most 5000/, `restore ${out} --skip-addresses 5001`);
  await of.refuses({ [`restore ${folder} --skip-addresses 0`]: /has no manifest\.json: it is not a backup/ });
  writeFileSync(dump, "half");
  await of.refuses({ [line]: /database\.dump is missing or damaged: use another backup/ });
  writeFileSync(manifest, whole.slice(0, 100));
  await of.refuses({ [line]: /manifest\.json .* is damaged/ });
  const newer = JSON.parse(whole);
  newer.content.migrations.push(9e12);
  newer.database = { bytes: 4, sha256: createHash("sha256").update("half").digest("hex") };
  writeFileSync(manifest, JSON.stringify(newer));
  await of.refuses({ [line]: /^this backup is of a newer version/ });
  const { db, close } = openDatabase(empty.url, { max: 1 });
  assert.deepEqual([await isEmptyDatabase(db), await isRestoreUnfinished(db)], [true, false]);
  await close();
});

test("restore grants no rights before all else is done", async (context) => {
  const out = join(folder, "rights");
  await cli.answer(`backup --out ${out}`);
  const path = join(out, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  // The backup of a database without tables. The migrations that follow make the tables.
  manifest.content = { migrations: [], tables: {}, accounts: [] };
  play("pg_restore", "exit 0");
  for (const transfers of [1, 0]) {
    const empty = await emptyDatabase();
    context.after(empty.close);
    const { db, pool, close } = openDatabase(empty.url, { max: 1 });
    const role = `signs_${transfers}`;
    await pool.query(`drop role if exists ${role}`);
    await pool.query(`create role ${role}`);
    writeFileSync(path, JSON.stringify({ ...manifest, ledger: { ...manifest.ledger, transfers } }));
    const of = openTestCli(() => ({ DATABASE_URL: empty.url, PATH }));
    const { status, stderr } = await of.run(`restore ${out} --skip-addresses 0 --grant-signer ${role}`);
    const { rows } = await pool.query(
      `select has_table_privilege('${role}', 'withdrawals', 'select') as may`,
    );
    const isRefused = transfers === 1;
    assert.deepEqual(
      [status, rows[0].may, await isRestoreUnfinished(db)],
      isRefused ? [1, false, true] : [0, true, false],
      stderr,
    );
    await close();
  }
});

test("restore is refused before it begins if a network's addresses could not be skipped", async (context) => {
  const empty = await emptyDatabase();
  context.after(empty.close);
  const out = join(folder, "networks");
  await cli.answer(`backup --out ${out}`);
  const path = join(out, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const account = { env: "test", key: "other", networks: ["bep20", "bitcoin"], next_index: 7 };
  manifest.content.accounts.push(account, { env: "live", key: "unused", networks: [], next_index: 0 });
  writeFileSync(path, JSON.stringify(manifest));
  play("pg_restore", "exit 0");
  const xpub = createWallet().accounts.find(
    ({ env, network }) => env === "test" && network === "bep20",
  )!.xpub;
  const env = { DATABASE_URL: empty.url, PATH, TEST_BEP20_XPUB: xpub };
  const refused = await callCli(env, ["restore", out, "--skip-addresses", "10"]);
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^the environment has no account key of test bitcoin, so the addresses cannot be skipped/,
  );
  // The program restored nothing here, so what follows is found.
  const differs = await callCli(env, ["restore", out, "--skip-addresses", "0"]);
  assert.equal(differs.status, 1);
  assert.match(
    differs.stderr,
    /^the restored database is not what was backed up, and no process starts on it:\n {2}.* has no rows/,
  );
  await assert.rejects(migrate(empty.url), /not restored completely/);
});

test("the URL's parts become the variables of libpq", () => {
  const certificate = join(folder, "ca.pem");
  writeFileSync(certificate, "");
  const variables = connectionVariables(
    `postgres://u%40:p%2Fw@db.example:5433/shop?sslmode=no-verify&sslrootcert=${certificate}`,
  );
  assert.deepEqual(variables, {
    PGHOST: "db.example",
    PGPORT: "5433",
    PGUSER: "u@",
    PGPASSWORD: "p/w",
    PGDATABASE: "shop",
    PGAPPNAME: "paylink backup",
    PGCONNECT_TIMEOUT: "10",
    PGSSLMODE: "require",
    PGSSLROOTCERT: certificate,
  });
});

test("pg_dump checks who answers exactly if pg does", () => {
  const certificate = join(folder, "root.pem");
  writeFileSync(certificate, "a certificate");
  const checks = { PGSSLMODE: "verify-full", PGSSLROOTCERT: "system" };
  const given = { PGSSLMODE: "verify-full", PGSSLROOTCERT: certificate };
  const cases: [parameters: string, variables: Record<string, string>][] = [
    ["", {}],
    ...["sslmode=require", "sslmode=prefer", "sslmode=verify-ca", "sslmode=verify-full"].map(
      (mode) => [mode, checks] as [string, typeof checks],
    ),
    ["ssl=true", checks],
    ["ssl=1", checks],
    ["sslmode=require&ssl=false", checks],
    [`sslmode=verify-ca&sslrootcert=${certificate}`, given],
    [`sslrootcert=${certificate}`, given],
    ["ssl=false", { PGSSLMODE: "disable" }],
    ["ssl=0", { PGSSLMODE: "disable" }],
    ["sslmode=disable", { PGSSLMODE: "disable" }],
    ["sslmode=no-verify", { PGSSLMODE: "require" }],
    ["ssl=no-verify", { PGSSLMODE: "require" }],
    ["uselibpqcompat=true&sslmode=require", { PGSSLMODE: "require" }],
    ["uselibpqcompat=true&sslmode=verify-full", checks],
    [
      `uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${certificate}`,
      { PGSSLMODE: "verify-ca", PGSSLROOTCERT: certificate },
    ],
  ];
  for (const [parameters, variables] of cases) {
    const found = Object.entries(connectionVariables(`postgres://u:p@db.example/shop?${parameters}`));
    assert.deepEqual(
      Object.fromEntries(found.filter(([name]) => name.startsWith("PGSSL"))),
      variables,
      parameters,
    );
  }
});

test("networks of one account key: skipped addresses are watched on the first alone", () => {
  const keys = new Map(createWallet().accounts.map(({ env, network, xpub }) => [`${env} ${network}`, xpub]));
  const common = { rpcUrls: [], zmqUrl: null, chainId: null, contracts: {} };
  const of = (env: "test" | "live", network: "bep20" | "erc20" | "bitcoin") => ({
    ...common,
    env,
    network,
    accountKey: keys.get(`${env} ${network === "erc20" ? "bep20" : network}`)!,
  });
  const networks = [of("test", "bep20"), of("test", "bitcoin"), of("test", "erc20"), of("live", "bep20")];
  const adapters = openNetworks(networks).all();
  assert.deepEqual(
    adapters.map((adapter) => listUnwatched(adapter, adapters)),
    [["erc20"], [], ["bep20"], []],
  );
});

test("a program of the server's version is found on the PATH, also behind one of another version", async () => {
  const other = join(folder, "other");
  mkdirSync(other);
  play("pg_dump", WORKS, 15);
  writeFileSync(join(other, "pg_dump"), '#!/bin/sh\necho "pg_dump (PostgreSQL) 16.4 (Debian 16.4-1)"\n');
  chmodSync(join(other, "pg_dump"), 0o755);
  const env = { PATH: `${programs}:${other}:/usr/bin:/bin` };
  assert.equal(await findDumpProgram("pg_dump", 16, env), join(other, "pg_dump"));
  await assert.rejects(findDumpProgram("pg_dump", 14, env), /postgresql-client-14/);
});
