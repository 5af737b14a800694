/** `paylink setup`, driven as a person does: each question gets its answer when it is asked. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { after, type TestContext, test } from "node:test";
import { parseEnv } from "node:util";
import { runCommand } from "#lib/cli/run-command.ts";
import { mergeEnv } from "#lib/cli/setup/env-file.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { readConfig } from "#lib/server/config.ts";
import { startAnvil, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOf } from "#tests/support/folders.ts";

const t = await databaseOfFile();
const anvil = await startAnvil({ chainId: 31_337 });
after(() => anvil.stop());
const NOWHERE = "http://127.0.0.1:1";

type Answer = string | ((said: string) => string);

/** Runs setup in a folder. Each answer belongs to the next question that matches; a list is given one after another. */
async function setUp(
  folder: string,
  answers: readonly (readonly [question: RegExp, ...answers: Answer[]])[],
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
  const env = { DATA_DIR: join(folder, "data"), USER: "ada" };
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
  const old = `# ours\nSECRET_KEY='${SECRET_KEY}'\nLOG_LEVEL=debug\nDATABASE_URL=${t.url}\nPUBLIC_URL=http://old.example\n`;
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
    `DATABASE_URL=${t.url}`,
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

test("a value is written so that Node, systemd and a shell read the same", () => {
  assert.equal(mergeEnv("A=1\nB=2", { B: "a#b", C: "x y" }), "A=1\nB='a#b'\nC=x y\n");
  assert.equal(mergeEnv("", { A: "it's" }), `A="it's"\n`);
  assert.equal(mergeEnv("", { A: "1" }), "A=1\n");
  assert.equal(mergeEnv("A=1\nA=2\n", { A: "3" }), "A=3\n");
});
