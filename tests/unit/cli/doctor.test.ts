/** `paylink doctor` on broken installations: each trouble is named, with the right advice. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { promises as files, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { markRestore } from "#lib/platform/db/unfinished-restore.ts";
import { deployUsdt, mine, startAnvil } from "#tests/support/anvil.ts";
import { emptyDatabase } from "#tests/support/database.ts";
import { CERTIFICATES } from "#tests/support/electrum-certificates.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { startFakePooler } from "#tests/support/fake-pooler.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { callCli } from "#tests/support/run-cli.ts";
import { startSmtp } from "#tests/support/smtp.ts";

type Variables = Record<string, string>;
interface Finding {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly advice: string | null;
}

const SECRET_KEY = "doctor-secret-0123456789-0123456789";
const NOWHERE = "http://127.0.0.1:1";
const keyOf = (env: "live" | "test", network = "bep20") =>
  createWallet().accounts.find((one) => one.env === env && one.network === network)!.xpub;

const t = await databaseOfFile();
const folder = folderOfFile();
const dataDir = join(folder, "data");
mkdirSync(dataDir, { mode: 0o700 });
const anvil = await startAnvil({ chainId: 97 });
const usdt = await deployUsdt(anvil.url);
after(() => anvil.stop());

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A port that nothing uses. Servers of other tests do not get it meanwhile. */
let port = 0;
before(async () => {
  port = await choosePort(0);
});

const LIVE = {
  LIVE_BEP20_RPC_URL: NOWHERE,
  LIVE_BEP20_XPUB: keyOf("live"),
  PUBLIC_URL: "https://127.0.0.1:1",
};
/** A development chain: no block is overdue there. */
const TEST = {
  TEST_BEP20_RPC_URL: `${anvil.url}/?key=secret-path`,
  TEST_BEP20_XPUB: keyOf("test"),
  TEST_BEP20_USDT_CONTRACT: usdt,
};
const usual = (): Variables => ({
  DATABASE_URL: t.url,
  SECRET_KEY,
  DATA_DIR: dataDir,
  PORT: String(port),
  FIXED_RATES: "usdt/usd=1",
});

async function examine(env: Variables, now?: () => Date) {
  const run = await callCli(env, ["doctor"], { now });
  for (const secret of [SECRET_KEY, "secret-path", new URL(t.url).password])
    assert.ok(!`${run.stdout}${run.stderr}`.includes(secret), "a secret was printed");
  return { ...run, findings: run.json() as Finding[] };
}

/** Expects this trouble of a broken installation, which makes the command fail. */
async function fails(env: Variables, check: RegExp, found: RegExp, advice: RegExp, now?: () => Date) {
  const { status, findings } = await examine(env, now);
  assert.equal(status, 1);
  const trouble = findings.find((one) => one.status === "failed" && check.test(one.check));
  assert.match(trouble?.found ?? JSON.stringify(findings), found);
  assert.match(trouble?.advice ?? "", advice);
}

test("an installation without trouble exits 0 and says what it has", async () => {
  const { status, findings, stderr } = await examine({ ...usual(), ...TEST });
  assert.equal(status, 0, stderr);
  const found = new Map(findings.map((one) => [one.check.replace(/127\S+/, "node"), one]));
  assert.match(
    found.get("database")!.found,
    /^PostgreSQL 1[5-8]\S* at 127\.0\.0\.1:\d+, database \w+, role postgres$/,
  );
  assert.match(found.get("node test bep20 node")!.found, /^chain 97, height \d+, newest block \d+ s old$/);
  assert.equal(found.get("clock")!.found, "as the database's, to within two seconds");
  assert.deepEqual(
    findings.filter((one) => one.status !== "ok").map((one) => [one.check, one.found]),
    [["roles", "no server is connected to the database"]],
  );
  assert.equal(stderr, `1 warnings, ${findings.length - 1} ok\n`);
});

test("on a terminal each check is a line, and advice follows it", async () => {
  const { stdout } = await callCli({ ...usual(), SECRET_KEY: "" }, ["doctor"], { isTTY: true });
  assert.match(
    stdout,
    /^failed {3}secret key: SECRET_KEY is not set.*\n {9}→ Set SECRET_KEY to the output of `openssl/m,
  );
  assert.match(stdout, /^ok {7}disk: /m);
});

test("a wrong variable, a missing SECRET_KEY and a misspelled name", async () => {
  await fails({ ...usual(), PORT: "http" }, /environment/, /^PORT must be a whole number/, /settings\.md/);
  await fails({ ...usual(), SECRET_KEY: "" }, /secret key/, /is not set/, /openssl rand -base64 32/);
  const { findings } = await examine({ ...usual(), PUBLIC_ULR: "https://pay.example" });
  assert.deepEqual(findings[0]?.found, "these have no effect: PUBLIC_ULR (PUBLIC_URL?)");
});

test("no DATABASE_URL with a live network", async () => {
  const { DATABASE_URL: _, ...without } = usual();
  await fails(
    { ...without, ...LIVE },
    /database/,
    /DATABASE_URL is not set, and a live network/,
    /EMBEDDED=yes/,
  );
});

test("a database that refuses, lacks the database, or is not there", async () => {
  const change = (values: Partial<URL>) => ({
    ...usual(),
    DATABASE_URL: Object.assign(new URL(t.url), values).href,
  });
  await fails(
    change({ password: "wrong" }),
    /database/,
    /refuses the password of the role postgres/,
    /alter role "postgres"/,
  );
  await fails(change({ pathname: "/absent" }), /database/, /has no database absent/, /createdb/);
  await fails(change({ port: "1" }), /database/, /nothing listens at 127\.0\.0\.1:1/, /Start PostgreSQL/);
});

test("a database without tables, one that was not restored completely, and roles without rights", async (context) => {
  const empty = await emptyDatabase();
  context.after(empty.close);
  const on = (url: string) => ({ ...usual(), DATABASE_URL: url });
  await fails(on(empty.url), /tables/, /^\d+ migrations are missing/, /paylink -- migrate/);
  const marked = openDatabase(empty.url, { max: 1 });
  await markRestore(marked.db);
  await marked.close();
  await fails(on(empty.url), /tables/, /was not restored completely/, /restore/);

  const role = `doctor_${process.pid}`;
  const url = await restrict(t.database.pool, t.url, role);
  context.after(() => t.database.pool.query(`drop owned by ${role}; drop role ${role}`));
  const grant = new RegExp(`MIGRATE_DATABASE_URL=… npm run -s paylink -- migrate --grant ${role}`);
  await t.database.pool.query(`revoke insert on attention from ${role}`);
  await fails(on(url), /tables/, /lacks rights on 1 tables, such as attention/, grant);
  await t.database.pool.query(`revoke usage on schema drizzle from ${role}`);
  await fails(on(url), /tables/, /has no rights on the tables/, grant);
});

test("addresses of a pooler, of two databases, and of a pooler that loses named statements", async (context) => {
  const pooled = await startFakePooler(context, t.url);
  await fails({ ...usual(), DATABASE_URL: pooled }, /addresses/, /PostgreSQL itself/, /PgBouncer/);
  const empty = await emptyDatabase();
  context.after(empty.close);
  const both = { ...usual(), DATABASE_DIRECT_URL: t.url };
  await fails({ ...both, DATABASE_URL: empty.url }, /addresses/, /the same database/, /PgBouncer/);
  await fails({ ...both, DATABASE_URL: pooled }, /addresses/, /loses named/, /max_prepared_statements/);
  const { findings } = await examine({ ...both, DATABASE_URL: t.url });
  assert.equal(findings.find(({ check }) => check === "database addresses")?.status, "ok");
});

test("secrets that another SECRET_KEY encrypted", async () => {
  const create = ["merchant", "create", "--email", "shop@example.com", "--name", "Shop"];
  assert.equal((await callCli(usual(), create)).status, 0);
  const other = { ...usual(), SECRET_KEY: "another-secret-0123456789-0123456789" };
  await fails(other, /stored secrets/, /does not open/, /SECRET_KEY_PREVIOUS/);
  const { findings } = await examine({ ...other, SECRET_KEY_PREVIOUS: SECRET_KEY });
  assert.equal(findings.find(({ check }) => check === "stored secrets")?.status, "ok");
});

test("a server without a worker", async (context) => {
  const server = openDatabase(t.url, { applicationName: "paylink listener" });
  context.after(server.close);
  await server.pool.query("select 1");
  await fails({ ...usual(), ...TEST }, /roles/, /0 of 1 networks are watched/, /ROLES has worker/);
});

test("a node that does not answer, is of another chain, or lacks something", async (context) => {
  const on = (changes: Variables) => ({ ...usual(), ...TEST, ...changes });
  await fails(
    on({ TEST_BEP20_RPC_URL: `${NOWHERE}/?key=secret-path` }),
    /^node test bep20 127\.0\.0\.1:1$/,
    /does not answer/,
    /TEST_BEP20_RPC_URL.*node probe bep20 --env test/,
  );
  const other = await startAnvil({ chainId: 1 });
  context.after(other.stop);
  await fails(
    on({ TEST_BEP20_RPC_URL: other.url }),
    /^node/,
    /of chain 1, not of 97/,
    /live and the test chain have different nodes/,
  );
});

test("a node behind the other node of its network", async (context) => {
  const ahead = await startAnvil({ chainId: 97 });
  context.after(ahead.stop);
  await deployUsdt(ahead.url);
  await mine(ahead.url, 500);
  const { findings } = await examine({
    ...usual(),
    ...TEST,
    TEST_BEP20_RPC_URL: `${ahead.url},${anvil.url}`,
  });
  const node = findings.find(({ check }) => check.endsWith(new URL(anvil.url).host));
  assert.equal(node?.status, "warning", JSON.stringify(findings));
  assert.match(node.found, /, [45]\d\d blocks behind the network's best node$/);
  assert.match(node.advice ?? "", /peers/);
});

test("a clock that is an hour ahead or behind", async (context) => {
  // A fake of a node of the public test chain: anvil's blocks, and a contract with six decimals.
  const node = await startAnvil({ chainId: 84_532 });
  context.after(node.stop);
  await mine(node.url, 1);
  const fake = await openFakeNode(context, node.url);
  fake.twist = ({ method }) => (method === "eth_call" ? `0x${"6".padStart(64, "0")}` : undefined);
  const env = { ...usual(), TEST_BASE_RPC_URL: fake.url, TEST_BASE_XPUB: keyOf("test", "base") };
  const later = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
  await fails(env, /clock/, /this machine and the database differ by 3600 s/, /timedatectl/, later(1));
  await fails(env, /^node/, /no new block/, /clock is ahead/, later(1));
  const { findings } = await examine(env, later(-1));
  assert.match(
    findings.filter(({ check, status }) => check === "clock" && status === "failed")[1]?.found ?? "",
    /this machine is 3[56]\d\d s behind the newest block of test base/,
  );
});

test("a port that another program uses", async (context) => {
  const other = createServer((socket) => socket.end("SSH-2.0\r\n"));
  context.after(() => other.close());
  const taken = await listen(other);
  await fails(
    { ...usual(), PORT: String(taken) },
    /^port/,
    /another program uses it/,
    /set PORT to another port/,
  );
});

test("pages without TLS, or with a certificate that browsers refuse", async (context) => {
  await fails(
    { ...usual(), ...LIVE, PUBLIC_URL: "http://pay.example.com" },
    /tls/,
    /PUBLIC_URL is http:.*live network/,
    /PUBLIC_URL=https:.*proxy\.md/,
  );
  await fails({ ...usual(), ...LIVE }, /tls/, /https does not answer \(ECONNREFUSED\)/, /Start the proxy/);
  const proxy = createTlsServer({ ...CERTIFICATES[0] }, (socket) => socket.end());
  context.after(() => proxy.close());
  const url = `https://localhost:${await listen(proxy)}`;
  await fails(
    { ...usual(), PUBLIC_URL: url },
    /^tls localhost$/,
    /browsers refuse.*DEPTH_ZERO_SELF_SIGNED_CERT/,
    /certbot/,
  );
});

test("a mail server that refuses, or is not there", async (context) => {
  const refusing = createServer((socket) => socket.end("554 no service for you\r\n"));
  context.after(() => refusing.close());
  const at = (number: number) => ({
    ...usual(),
    SMTP_URL: `smtp+plain://127.0.0.1:${number}`,
    MAIL_FROM: "pay@example.com",
  });
  await fails(at(await listen(refusing)), /mail/, /refuses with status 554/, /SMTP_URL has a wrong user/);
  await fails(at(1), /mail/, /cannot be used \(E\w+\)/, /host, port and scheme of SMTP_URL/);
  const good = await startSmtp();
  context.after(good.close);
  const { findings } = await examine(at(good.port));
  assert.equal(findings.find(({ check }) => check === "mail")?.status, "ok");
  assert.equal(good.seen.length, 0, "a mail was sent");
});

/** No request reaches another machine. */
function cutOff(context: TestContext): void {
  const { fetch } = globalThis;
  context.mock.method(globalThis, "fetch", (input: string | URL | Request, options?: RequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    if (hostname === "127.0.0.1") return fetch(input, options);
    return Promise.reject(new TypeError("fetch failed", { cause: { code: "ENETUNREACH" } }));
  });
}

test("price sources that are out of reach", async (context) => {
  cutOff(context);
  await fails({ ...usual(), FIXED_RATES: "" }, /prices/, /none of \d sources answers/, /outgoing HTTPS/);
});

test("a full disk", async (context) => {
  // A fake: 0.5 GB of 100 GB are free.
  const space = { bavail: 500_000, blocks: 100_000_000, bsize: 1_000 };
  context.mock.method(files, "statfs", async () => space);
  await fails(usual(), /disk/, /^0\.5 GB \(1 %\) free/, /PostgreSQL stops/);
});

test("backups that are old, missing, or not known", async () => {
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const env = { ...usual(), BACKUP_DIR: backups };
  await fails(env, /backup/, /BACKUP_DIR has no backup/, /backup\.md/);
  // A dump that failed, and a backup that was interrupted.
  writeFileSync(join(backups, "paylink-1.dump"), "");
  mkdirSync(join(backups, "paylink-3.part"));
  await fails(env, /backup/, /BACKUP_DIR has no backup/, /backup\.md/);
  // A copy keeps the time of what was copied, and counts from its coming.
  const copy = join(backups, "paylink-2.dump");
  writeFileSync(copy, "dump");
  const old = new Date(Date.now() - 72 * 3_600_000);
  utimesSync(copy, old, old);
  const { findings } = await examine(env);
  assert.equal(findings.at(-1)?.found, "the newest backup, paylink-2.dump, is 0 hours old");
  const later = () => new Date(Date.now() + 72 * 3_600_000 + 60_000);
  await fails(env, /backup/, /the newest backup, paylink-2.dump, is 72 hours old/, /each day/, later);
  const unknown = await examine({ ...usual(), ...LIVE });
  assert.match(unknown.findings.at(-1)?.found ?? "", /BACKUP_DIR is not set/);
});
