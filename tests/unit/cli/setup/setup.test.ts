/** `paylink setup`, driven as a person does: each question gets its answer when it is asked. */
import assert from "node:assert/strict";
import {
  appendFileSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseEnv } from "node:util";
import { NETWORKS } from "#lib/chains/networks.ts";
import { writeEnvFile } from "#lib/cli/setup/env-file.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { readConfig } from "#lib/server/config.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { deployUsdt, rpc, startAnvil, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { folderOf } from "#tests/support/folders.ts";
import { chosenWord, isRoot, openSetupWorld, SECRET_KEY, setUp, takePort, valuesOf } from "./run-setup.ts";

const { t, anvil, wrongPassword, newDatabase, answersOf } = await openSetupWorld();
const NOWHERE = "http://127.0.0.1:1";
/** No word of any paper. Most short English words are: setup may ask for them. */
const NO_WORD = "nonsense";

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
    [/^Word/, NO_WORD, chosenWord],
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

test("a word that nobody can answer leads back to the choice of a wallet", async (context) => {
  const folder = folderOf(context);
  const [, free] = await takePort(context);
  const run = await setUp(
    folder,
    answersOf(
      await newDatabase(context),
      free,
      [/^Wallet/, "new", "new", "new"],
      [/^Word/, NO_WORD, NO_WORD, NO_WORD, "", chosenWord],
    ),
  );
  assert.equal(run.status, 0, run.said);
  assert.equal(run.unused.includes(`/^Word/: ${NO_WORD}`), false);
  assert.deepEqual(
    [...run.said.matchAll(/This is not word \d+: look at your paper\. Tries left: (\d)/g)].map(
      ([, left]) => left,
    ),
    ["2", "1"],
  );
  assert.equal(run.said.match(/This wallet is not used/g)?.length, 2);
  const shown = run.said.match(/^1 [a-z]+ {2}2 .*$/gm)!;
  assert.equal(new Set(shown).size, 3, "each time other words");
  const last = shown
    .at(-1)!
    .match(/[a-z]+/g)!
    .join(" ");
  const { xpub } = createWallet(last).accounts.find((one) => one.env === "test" && one.network === "bep20")!;
  assert.equal(valuesOf(run.file).TEST_BEP20_XPUB, xpub);
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
