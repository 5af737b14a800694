/** `paylink setup`, driven as a person does: each question gets its answer when it is asked. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { after, type TestContext, test } from "node:test";
import { parseEnv } from "node:util";
import pg from "pg";
import { NETWORKS } from "#lib/chains/networks.ts";
import { runCommand } from "#lib/cli/run-command.ts";
import { writeEnvFile } from "#lib/cli/setup/env-file.ts";
import { checkSecrets } from "#lib/domain/database/check-secrets.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { readConfig } from "#lib/server/config.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { deployUsdt, rpc, startAnvil, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOf } from "#tests/support/folders.ts";

const t = await databaseOfFile();
const anvil = await startAnvil({ chainId: 31_337 });
after(() => anvil.stop());
const NOWHERE = "http://127.0.0.1:1";

type Answer = string | ((said: string) => string);
type Answers = readonly (readonly [question: RegExp, ...answers: Answer[]])[];

/** Runs setup in a folder. Each answer belongs to the next question that matches; a list is given one after another. */
async function setUp(
  folder: string,
  answers: Answers,
  env: Readonly<Record<string, string>> = { DATA_DIR: join(folder, "data"), USER: "ada" },
) {
  const stdin = new PassThrough();
  const left = answers.map(([question, ...given]) => ({ question, given }));
  let [said, out, asked] = ["", "", 0];
  const stderr = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      said += part;
      done();
      if (!part.endsWith(": ")) return;
      asked += 1;
      const next = left.find(({ question, given }) => given.length > 0 && question.test(part));
      const answer = next?.given.shift();
      if (answer === undefined) stdin.end();
      else stdin.write(`${typeof answer === "string" ? answer : answer(said)}\n`);
    },
  });
  const stdout = new Writable({
    decodeStrings: false,
    write(part: string, _encoding, done) {
      out += part;
      done();
    },
  });
  const status = await runCommand({ args: ["setup"], env, stdin, stdout, stderr, folder });
  const unused = left.flatMap(({ question, given }) => given.map((answer) => `${question}: ${answer}`));
  return { status, said, out, asked, unused, file: join(folder, ".env") };
}

async function takePort(context: TestContext): Promise<[taken: string, free: string]> {
  const servers = [createServer(), createServer()];
  for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  const [taken, free] = servers.map((server) => String((server.address() as AddressInfo).port));
  context.after(() => servers[0]?.close());
  servers[1]?.close();
  return [taken!, free!];
}

const wrongPassword = () => Object.assign(new URL(t.url), { password: "wrong" }).href;
const chosenWord = (said: string) => {
  const place = /Word (\d+) of your paper: $/.exec(said)![1]!;
  return new RegExp(` ?\\b${place} ([a-z]+)`).exec(/^1 [a-z]+ {2}2 .*$/m.exec(said)![0])![1]!;
};

/** An empty database of its own on the server of this file. */
async function newDatabase(context: TestContext): Promise<string> {
  const name = `setup_${randomUUID().replaceAll("-", "")}`;
  await query(t.url, `create database ${name}`);
  context.after(() => query(t.url, `drop database ${name} with (force)`));
  return Object.assign(new URL(t.url), { pathname: `/${name}` }).href;
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ found: string | null }>(text)).rows[0]?.found;
  } finally {
    await client.end();
  }
}

const findTables = (url: string) => query(url, "select to_regclass('merchants')::text as found");

/** Answers of a set-up that succeeds. Those given first belong to the first questions that match. */
const answersOf = (database: string, port: string, ...first: Answers): Answers => [
  ...first,
  [/There is a \.env/, "yes"],
  [/^Environment/, "test"],
  [/^PostgreSQL/, database],
  [/^Port/, port],
  [/^Address/, ""],
  [/^Network/, "bep20", ""],
  [/URL of a node/, anvil.url],
  [/development chain/, ""],
  [/^Wallet/, "new"],
  [/^Word/, chosenWord],
  [/^Mail server/, ""],
  [/e-mail address/, `${randomUUID()}@example.com`],
  [/name, on the payment page/, "Shop"],
];

const valuesOf = (file: string) => parseEnv(readFileSync(file, "utf8")) as Record<string, string>;

test("a first set-up checks each answer, writes .env and makes the merchant", async (context) => {
  const folder = folderOf(context);
  const [taken, free] = await takePort(context);
  const run = await setUp(folder, [
    [/^Environment/, "prod", ""],
    [/^PostgreSQL/, "mysql://x", wrongPassword(), t.url],
    [/^Port/, taken, free],
    [/^Address/, "pay.example.com", ""],
    [/^Network/, "doge", "bep20", ""],
    [/URL of a node of bep20/, "", NOWHERE, anvil.url],
    [/development chain/, "yes"],
    [/^Wallet/, "paper", "new"],
    [/^Word/, "wrong", chosenWord],
    [/^Mail server/, "smtp+plain://127.0.0.1:1", ""],
    [/e-mail address/, "", "no address", "shop@example.com"],
    [/name, on the payment page/, "Shop", "Shop"],
  ]);
  assert.equal(run.status, 0, run.said);
  assert.deepEqual(run.unused, []);
  for (const message of [
    /Answer test or live\./,
    /DATABASE_URL must be a URL/,
    /refuses the password of the role postgres\. Correct user/,
    /Port \d+ cannot be used \(EADDRINUSE\)/,
    /PUBLIC_URL must be/,
    /Answer one of these networks/,
    /127\.0\.0\.1:1 does not answer.* TEST_BEP20_RPC_URL/,
    /This is not word \d+/,
    /The mail server cannot be used \(/,
  ])
    assert.match(run.said, message);
  assert.equal(statSync(run.file).mode & 0o777, 0o600);
  const values = parseEnv(readFileSync(run.file, "utf8")) as Record<string, string>;
  const config = readConfig(values);
  assert.deepEqual(
    [config.databaseUrl, String(config.port), config.publicUrl],
    [t.url, free, `http://localhost:${free}`],
  );
  assert.partialDeepStrictEqual(config.networks, [
    {
      env: "test",
      network: "bep20",
      rpcUrls: [anvil.url],
      chainId: 31_337,
      contracts: { usdt: USDT_ADDRESS },
    },
  ]);
  assert.deepEqual([values.SANDBOX, config.mail], ["on", null]);
  const answer = JSON.parse(run.out) as { api_key: string; first_link: string };
  assert.match(
    answer.first_link,
    new RegExp(`127\\.0\\.0\\.1:${free}/v1/payment-links -H "x-staging-api-key: ${answer.api_key}"`),
  );
  for (const field of ["amount", "payment_reference", "customer_details", "success_url", "cancel_url"])
    assert.ok(answer.first_link.includes(`${field}=`), field);
  assert.ok((await findMerchantByEmail(t.db, "shop@example.com")) !== null);
});

const SECRET_KEY = "setup-secret-0123456789-0123456789";

test("an existing .env is changed only after a question, and keeps its key and its other lines", async (context) => {
  const folder = folderOf(context);
  const file = join(folder, ".env");
  const database = await newDatabase(context);
  const old = `# ours\nSECRET_KEY='${SECRET_KEY}'\nLOG_LEVEL=debug\nDATABASE_URL=${database}\nPUBLIC_URL=http://old.example\n`;
  writeFileSync(file, old);
  const refused = await setUp(folder, [[/There is a \.env/, ""]]);
  assert.deepEqual(
    [refused.status, refused.said.split("\n")[0]?.endsWith("[no]: nothing was changed")],
    [1, true],
  );
  assert.equal(readFileSync(file, "utf8"), old);

  const [, free] = await takePort(context);
  const { accounts } = createWallet();
  const keyOf = (env: string) => accounts.find((one) => one.env === env && one.network === "bep20")!.xpub;
  const run = await setUp(folder, [
    [/There is a \.env/, "yes"],
    [/^Environment/, "test"],
    [/^PostgreSQL/, ""],
    [/^Port/, free],
    [/^Address/, "http://new.example"],
    [/^Network/, "bep20", ""],
    [/URL of a node/, anvil.url],
    [/development chain/, ""],
    [/^Wallet/, "own"],
    [/TEST_BEP20_XPUB/, "xprv", keyOf("test")],
    [/^Mail server/, ""],
    [/e-mail address/, "second@example.com"],
    [/name, on the payment page/, "Second"],
  ]);
  assert.equal(run.status, 0, run.said);
  assert.match(run.said, /TEST_BEP20_XPUB holds a PRIVATE key/);
  assert.match(
    run.said,
    /Its first address, m\/44'\/60'\/1'\/0\/0: 0x[0-9a-fA-F]{40}\. Your wallet must show the same/,
  );
  const lines = readFileSync(file, "utf8").split("\n");
  assert.deepEqual(lines.slice(0, 5), [
    "# ours",
    `SECRET_KEY='${SECRET_KEY}'`,
    "LOG_LEVEL=debug",
    `DATABASE_URL=${database}`,
    "PUBLIC_URL=http://new.example",
  ]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("live asks for https, and a key of an own wallet; answers that end early write nothing", async (context) => {
  const folder = folderOf(context);
  mkdirSync(join(folder, "data"));
  const [, free] = await takePort(context);
  const run = await setUp(folder, [
    [/^Environment/, "live"],
    [/^PostgreSQL/, ""],
    [/^Port/, free],
    [/^Address/, "http://pay.example.com", "https://pay.example.com"],
    [/^Network/, "bep20"],
    [/URL of a node/, anvil.url],
  ]);
  assert.equal(run.status, 1);
  assert.match(run.said, /Real money needs https/);
  assert.match(run.said, /of chain 31337, not of 56.*Set LIVE_BEP20_RPC_URL to a node of bep20 in live/);
  assert.match(run.said, /the answers ended: setup is not complete/);
  assert.equal(existsSync(run.file), false);
});

test("an .env without DATA_DIR keeps the folder that the program used", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  writeFileSync(join(folder, ".env"), `DATABASE_URL=${url}\n`);
  const run = await setUp(folder, answersOf("", free), { USER: "ada" });
  assert.equal(run.status, 0, run.said);
  assert.equal(valuesOf(run.file).DATA_DIR, PROGRAM_VARIABLES.DATA_DIR.default);
});

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

const isRoot = process.getuid?.() === 0;

test("the file is replaced as a whole: the old one keeps its text, the link and the owner stay", (context) => {
  const folder = folderOf(context);
  const [file, copy, link] = ["paylink.env", "copy", ".env"].map((name) => join(folder, name));
  writeFileSync(file!, "A=1\n", { mode: 0o644 });
  if (isRoot) chownSync(file!, 1234, 1234);
  linkSync(file!, copy!);
  symlinkSync(file!, link!);
  const { uid } = statSync(file!);
  assert.partialDeepStrictEqual(writeEnvFile(link!, "A=2\n", "A=1\n"), { owner: uid, wanted: uid });
  assert.deepEqual([readFileSync(copy!, "utf8"), readFileSync(file!, "utf8")], ["A=1\n", "A=2\n"]);
  assert.ok(lstatSync(link!).isSymbolicLink());
  assert.equal(statSync(file!).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder).sort(), [".env", "copy", "paylink.env"]);
});

test("a file that has changed since it was read is not written", async (context) => {
  const folder = folderOf(context);
  const file = join(folder, ".env");
  writeFileSync(file, "A=1\n");
  for (const before of [null, "A=0\n"])
    assert.throws(
      () => writeEnvFile(file, "A=2\n", before),
      /has changed since setup read it.*run setup again/,
    );
  assert.deepEqual([readFileSync(file, "utf8"), readdirSync(folder)], ["A=1\n", [".env"]]);

  const [, free] = await takePort(context);
  const edit = () => {
    appendFileSync(file, "LOG_LEVEL=debug\n");
    return "";
  };
  const run = await setUp(folder, answersOf(await newDatabase(context), free, [/^Mail server/, edit]));
  assert.equal(run.status, 1);
  assert.match(run.said, /has changed since setup read it, so nothing was written: run setup again/);
  assert.equal(readFileSync(file, "utf8"), "A=1\nLOG_LEVEL=debug\n");
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

/** Gives a chain tokens at the addresses of those on the public test chain of bep20. */
async function placePublicTokens(url: string): Promise<void> {
  const code = await rpc(url, "eth_getCode", [await deployUsdt(url), "latest"]);
  const { usdt, usdc } = NETWORKS.bep20.tokens;
  for (const { contract } of [usdt, usdc]) await rpc(url, "anvil_setCode", [contract.test, code]);
}

test("a node is tried with what else is set for its network", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const lines = ["TEST_BEP20_CHAIN_ID=31337", "TEST_BEP20_RPC_HEADERS=a: b"];
  writeFileSync(join(folder, ".env"), `${lines.join("\n")}\n`);
  await placePublicTokens(anvil.url);
  const urls = `${anvil.url},${anvil.url}`;
  const run = await setUp(
    folder,
    answersOf(
      await newDatabase(context),
      free,
      [/URL of a node/, urls, anvil.url],
      [/development chain/, "no"],
    ),
  );
  assert.equal(run.status, 0, run.said);
  assert.match(run.said, /TEST_BEP20_RPC_HEADERS must have one entry for each URL/);
  assert.match(run.said, /The node answers: chain 31337/);
});

test("a node instead of the development chain takes out its chain id, its token and the sandbox", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const url = await newDatabase(context);
  const before = await setUp(folder, answersOf(url, free));
  assert.equal(before.status, 0, before.said);
  assert.equal(valuesOf(before.file).TEST_BEP20_USDT_CONTRACT, USDT_ADDRESS);
  const node = await startAnvil({ chainId: 97 });
  context.after(() => node.stop());
  await placePublicTokens(node.url);
  const answers = answersOf(url, free, [/URL of a node/, node.url], [/development chain/, "no"]);
  const run = await setUp(folder, answers);
  assert.equal(run.status, 0, run.said);
  const { TEST_BEP20_RPC_URL, ...values } = valuesOf(run.file);
  assert.equal(TEST_BEP20_RPC_URL, node.url);
  for (const name of ["TEST_BEP20_CHAIN_ID", "TEST_BEP20_USDT_CONTRACT", "SANDBOX"])
    assert.equal(values[name], undefined, name);
});
