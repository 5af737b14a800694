import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { parseEnv } from "node:util";
import pg from "pg";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { emptyDatabase, temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { runCli } from "#tests/support/run-cli.ts";

const SECRET_KEY = "a-secret-key-of-forty-characters-for-tests";
let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("migrate creates the tables of an empty database, and a second run changes nothing", async () => {
  const { url, close } = await emptyDatabase();
  for (let i = 0; i < 2; i++) {
    const run = runCli({ DATABASE_URL: url }, "migrate");
    assert.deepEqual([run.status, run.json()], [0, { migrated: true }], run.stderr);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select to_regclass('ledger_postings') as ours, to_regclass('webhook_attempts') as jobs",
  );
  assert.deepEqual(rows, [{ ours: "ledger_postings", jobs: "webhook_attempts" }]);
  await client.end();
  await close();
});

test("migrate needs only MIGRATE_DATABASE_URL, and grants another role the necessary rights", async () => {
  const { url, close } = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const role = 'paylink "command"';
  await client.query(`create role ${pg.escapeIdentifier(role)} login password 'secret'`);
  const owner = { MIGRATE_DATABASE_URL: url, DATA_DIR: folder };
  const app = { DATABASE_URL: Object.assign(new URL(url), { username: role, password: "secret" }).href };
  const early = runCli(app, "merchant", "list");
  assert.equal(early.status, 1);
  assert.match(
    early.stderr,
    /^The database role .* may not make .* MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate/,
  );
  for (let i = 0; i < 2; i++) {
    const run = runCli(owner, "migrate", "--grant", role);
    assert.deepEqual([run.status, run.json()], [0, { migrated: true, granted: role }], run.stderr);
  }
  assert.deepEqual(readdirSync(folder), []);
  const list = runCli(app, "merchant", "list");
  assert.deepEqual([list.status, list.json()], [0, []], list.stderr);
  const skipped = runCli(app, "numbers", "skip");
  assert.deepEqual(
    [skipped.status, skipped.stdout, skipped.stderr],
    [
      1,
      "",
      `the database role ${role} may not skip numbers. Run it as the owner of the tables: ` +
        "MIGRATE_DATABASE_URL=… npm run -s paylink -- numbers skip\n",
    ],
  );
  assert.equal(runCli({ ...app, ...owner }, "numbers", "skip").status, 0);
  const nobody = runCli(owner, "migrate", "--grant", "nobody");
  assert.deepEqual([nobody.status, nobody.stderr], [1, 'failed: role "nobody" does not exist\n']);
  await client.query(`drop owned by ${pg.escapeIdentifier(role)}; drop role ${pg.escapeIdentifier(role)}`);
  await client.end();
  await close();
});

test("numbers skip skips numbers that a lost database may have used, and records it", async () => {
  const t = await testDatabase();
  const next = async () => {
    const insert = "insert into merchants (email, name) values (gen_random_uuid(), 'Shop') returning id::int";
    return (await t.database.pool.query(insert)).rows[0].id;
  };
  assert.equal(await next(), 1);
  const run = runCli({ DATABASE_URL: t.url }, "numbers", "skip");
  assert.deepEqual([run.status, run.json()], [0, { skipped: 1_000_000 }], run.stderr);
  assert.equal(await next(), 1_000_002);
  const { rows } = await t.database.pool.query("select id::int, action, details from audit_log");
  assert.deepEqual(rows, [{ id: 1_000_001, action: "numbers.skip", details: { ahead: 1_000_000 } }]);
  await t.close();
});

test("a command creates the tables of an empty database first", async () => {
  const { url, close } = await emptyDatabase();
  const list = runCli({ DATABASE_URL: url }, "merchant", "list");
  assert.deepEqual([list.status, list.json()], [0, []], list.stderr);
  await close();
});

test("without DATABASE_URL a command starts the embedded server for its own run", () => {
  const env = { DATA_DIR: join(folder, "data"), SECRET_KEY };
  const made = runCli(env, "merchant", "create", "--email", "shop@example.com", "--name", "Shop");
  assert.equal(made.status, 0, made.stderr);
  // Without this line, who forgot DATABASE_URL would take the new database for the right one.
  assert.equal(made.stderr, `DATABASE_URL is not set: making a new, empty database in ${env.DATA_DIR}\n`);
  assert.equal(existsSync(join(folder, "data/postgres/data/postmaster.pid")), false);
  assert.equal(statSync(join(folder, "data")).mode & 0o777, 0o700);
  const run = runCli(env, "merchant", "list");
  assert.equal(run.stderr, "");
  const list = run.json() as { email: string }[];
  assert.deepEqual(
    list.map(({ email }) => email),
    ["shop@example.com"],
  );
});

test("a command uses the running embedded server and leaves it running", async () => {
  const server = await startEmbedded(folder, { durable: false });
  const list = runCli({ DATA_DIR: folder }, "merchant", "list");
  assert.deepEqual([list.status, list.json()], [0, []], list.stderr);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  assert.equal((await client.query("select * from merchants")).rowCount, 0);
  await client.end();
  await server.stop();
});

test("variables of a demo in DATA_DIR replace absent ones, except its database URL", () => {
  writeFileSync(
    join(folder, "demo.env"),
    `DATABASE_URL=postgres://gone:gone@127.0.0.1:1/gone\nSECRET_KEY=${SECRET_KEY}\n`,
  );
  const made = runCli({ DATA_DIR: folder }, "merchant", "create", "--email", "a@example.com", "--name", "A");
  assert.equal(made.status, 0, made.stderr);
  const short = runCli({ DATA_DIR: folder, SECRET_KEY: "short" }, "merchant", "list");
  assert.equal(short.status, 1);
  assert.match(short.stderr, /SECRET_KEY must have at least 32 characters/);
});

test("wallet new needs nothing, stores nothing, and prints the words once", () => {
  const run = runCli({ DATA_DIR: join(folder, "data"), PORT: "wrong" }, "wallet", "new");
  assert.equal(run.status, 0, run.stderr);
  const wallet = run.json() as {
    mnemonic: string;
    accounts: { variable: string; path: string; xpub: string }[];
    note: string;
  };
  assert.equal(wallet.mnemonic.split(" ").length, 24);
  assert.equal(run.stderr.includes(wallet.mnemonic), false);
  assert.match(wallet.note, /account 0 .*account 1/);
  assert.deepEqual(readdirSync(folder), []);
  const variables = Object.fromEntries(wallet.accounts.map(({ variable, xpub }) => [variable, xpub]));
  assert.deepEqual(
    Object.keys(variables).filter((name) => name.includes("BEP20")),
    ["LIVE_BEP20_XPUB", "TEST_BEP20_XPUB"],
  );
  const accepted = runCli({ DATA_DIR: folder, ...variables }, "migrate");
  assert.equal(accepted.status, 0, accepted.stderr);
});

test("wallet new --format env prints the lines of .env, and the words apart from them", () => {
  const run = runCli({}, "wallet", "new", "--format", "env");
  assert.equal(run.status, 0, run.stderr);
  const lines = parseEnv(run.stdout);
  assert.equal(run.stdout.trimEnd().split("\n").length, Object.keys(lines).length);
  const accepted = runCli(lines as Record<string, string>, "wallet", "check");
  assert.equal(accepted.status, 0, accepted.stderr);
  const words = /^(?:[a-z]+ ){23}[a-z]+$/m;
  assert.match(run.stderr, words);
  assert.doesNotMatch(run.stdout, words);
  assert.equal(runCli({}, "wallet", "new", "--format", "env", "--solana", "3").status, 2);
});

test("wallet new --out writes a file that only its owner can read, and never overwrites one", () => {
  const out = join(folder, "wallet.json");
  const run = runCli({}, "wallet", "new", "--out", out);
  assert.deepEqual([run.status, run.json()], [0, { written: out }], run.stderr);
  assert.equal(statSync(out).mode & 0o777, 0o600);
  const text = readFileSync(out, "utf8");
  assert.equal((JSON.parse(text) as { mnemonic: string }).mnemonic.split(" ").length, 24);
  const again = runCli({}, "wallet", "new", "--out", out);
  assert.deepEqual(
    [again.status, again.stdout, again.stderr],
    [1, "", "--out exists already: choose a new file, so that no words are overwritten\n"],
  );
  assert.equal(readFileSync(out, "utf8"), text);
});

test("wallet check shows the first addresses of each key, without a node and without a database", () => {
  const { accounts } = createWallet("test test test test test test test test test test test junk");
  const keys = Object.fromEntries(
    accounts.map(({ env, network, xpub }) => [accountVariable(env, network) ?? "", xpub]),
  );
  const run = runCli({ DATA_DIR: folder, ...keys }, "wallet", "check");
  assert.equal(run.status, 0, run.stderr);
  const rows = run.json() as { variable: string; addresses: { path: string; address: string }[] }[];
  assert.deepEqual(rows.map(({ variable }) => variable).sort(), Object.keys(keys).sort());
  assert.ok(rows.every(({ addresses }) => addresses.length === 5));
  const addressesOf = (name: string) => rows.find(({ variable }) => variable === name)!.addresses;
  // The first two accounts of every development chain with these words.
  assert.deepEqual(addressesOf("LIVE_BEP20_XPUB").slice(0, 2), [
    { path: "m/44'/60'/0'/0/0", address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" },
    { path: "m/44'/60'/0'/0/1", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  ]);
  assert.deepEqual(readdirSync(folder), []);
  const none = runCli({}, "wallet", "check");
  assert.deepEqual(
    [none.status, none.stderr],
    [1, "no account key is configured: see docs/operate/wallets.md\n"],
  );
});

test("the environment wins over .env, also with an empty value", () => {
  writeFileSync(join(folder, ".env"), "PORT=wrong\n");
  const run = (env: Record<string, string>) =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, "../../../../lib/cli/main.ts"), "wallet", "check"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, NODE_ENV: "test", ...env },
      },
    ).stderr;
  assert.match(run({}), /PORT must be a whole number/);
  for (const PORT of ["3001", ""]) assert.match(run({ PORT }), /^no account key is configured/);
});

test("ledger check exits 0 for correct books and 1 otherwise", async () => {
  const t = await testDatabase();
  const check = () => runCli({ DATABASE_URL: t.url }, "ledger", "check");
  const clean = check();
  assert.equal(clean.status, 0, clean.stderr);
  assert.deepEqual(clean.json(), {
    ok: true,
    problems: [],
    figures: { accounts: 0, transfers: 0, credited_deposits: 0, held_deposits: 0, custody: [] },
  });
  await t.database.pool.query(
    "insert into ledger_accounts (env, token, code, balance) values ('live', 'usdt', 'custody:bep20', -1500000000000000000)",
  );
  const broken = check();
  assert.equal(broken.status, 1);
  const report = broken.json() as { ok: boolean; problems: string[]; figures: { custody: unknown } };
  assert.equal(report.ok, false);
  assert.ok(report.problems.length > 0);
  assert.deepEqual(report.figures.custody, [{ env: "live", network: "bep20", token: "usdt", held: "1.5" }]);
  await t.close();
});

test("ledger balances lists the accounts of an environment or a merchant", async () => {
  const t = await testDatabase();
  try {
    const balances = (...args: string[]) => runCli({ DATABASE_URL: t.url }, "ledger", "balances", ...args);
    await t.db.execute(
      "insert into merchants (email, name) values ('shop@example.com', 'Shop'), ('other@example.com', 'Other')",
    );
    await t.db.execute(`insert into ledger_accounts (env, token, code, merchant_id, balance) values
      ('test', 'usdt', 'merchant:1', 1, 1500000000000000000), ('test', 'usdt', 'custody:bep20', null, -1500000000000000000),
      ('live', 'btc', 'merchant:1', 1, 1)`);
    const own = { env: "test", account: "merchant:1", token: "usdt", balance: "1.5" };
    const custody = { env: "test", account: "custody:bep20", token: "usdt", balance: "-1.5" };
    assert.deepEqual(balances("--env", "test").json(), [custody, own]);
    assert.deepEqual(balances("--env", "test", "--merchant", "shop@example.com").json(), [own]);
    assert.deepEqual(balances("--merchant", "other@example.com").json(), []);
    assert.equal(balances("--merchant", "nobody@example.com").status, 1);
  } finally {
    await t.close();
  }
});
