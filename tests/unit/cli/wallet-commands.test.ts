import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { parseEnv } from "node:util";
import { createPoolAddresses, createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";

let folder = "";

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cliOf = (env: Record<string, string> = {}) => openTestCli(() => env);
const WORDS = /^(?:[a-z]+ ){23}[a-z]+$/m;

test("wallet new needs nothing, stores nothing, and prints the words once", async () => {
  const run = await cliOf({ DATA_DIR: join(folder, "data"), PORT: "wrong" }).run("wallet new");
  assert.equal(run.status, 0, run.stderr);
  const { mnemonic, accounts, note } = run.json() as {
    mnemonic: string;
    accounts: { variable: string; xpub: string }[];
    note: string;
  };
  assert.match(mnemonic, WORDS);
  assert.equal(run.stderr.includes(mnemonic), false);
  assert.match(note, /account 0 .*account 1/);
  assert.deepEqual(readdirSync(folder), []);
  const variables = Object.fromEntries(accounts.map(({ variable, xpub }) => [variable, xpub]));
  assert.deepEqual(
    Object.keys(variables).filter((name) => name.includes("BEP20")),
    ["LIVE_BEP20_XPUB", "TEST_BEP20_XPUB"],
  );
  assert.doesNotThrow(() => readCommandConfig(variables));
});

test("wallet new --format env prints the lines of .env, and the words apart from them", async () => {
  const run = await cliOf().run("wallet new --format env");
  assert.equal(run.status, 0, run.stderr);
  const lines = parseEnv(run.stdout) as Record<string, string>;
  assert.equal(run.stdout.trimEnd().split("\n").length, Object.keys(lines).length);
  await cliOf(lines).answer("wallet check");
  assert.match(run.stderr, WORDS);
  assert.doesNotMatch(run.stdout, WORDS);
  await cliOf().misuses(/--solana needs --format json/, "wallet new --format env --solana 3");
});

test("wallet new --out writes a file without the words that only its owner can read, and never overwrites one", async () => {
  const out = join(folder, "wallet.json");
  const line = `wallet new --solana 2 --out ${out}`;
  const run = await cliOf().run(line);
  assert.deepEqual([run.status, run.json()], [0, { written: out }], run.stderr);
  assert.equal(statSync(out).mode & 0o777, 0o600);
  const text = readFileSync(out, "utf8");
  const [mnemonic = ""] = WORDS.exec(run.stderr) ?? [];
  assert.deepEqual([mnemonic === "", text.includes(mnemonic)], [false, false]);
  const { accounts, pools } = JSON.parse(text) as { accounts: unknown; pools: unknown };
  const asShown = createWallet(mnemonic).accounts.map(({ xpub }) => xpub);
  const written = accounts as { xpub?: string; account?: string }[];
  assert.deepEqual(
    written.map(({ xpub, account }) => xpub ?? account),
    asShown,
    "the words are those of the keys",
  );
  assert.deepEqual(pools, createPoolAddresses(mnemonic, 2));
  await cliOf().refuses({
    [line]: "--out exists already: choose a new file, so that no keys are overwritten",
  });
  assert.equal(readFileSync(out, "utf8"), text);
});

test("wallet check shows the first addresses of each key, without a node and without a database", async () => {
  const { accounts } = createWallet("test test test test test test test test test test test junk");
  const keys = Object.fromEntries(
    accounts.map(({ env, network, xpub }) => [accountVariable(env, network) ?? "", xpub]),
  );
  const rows = await cliOf({ DATA_DIR: folder, ...keys }).answer<(Row & { addresses: Row[] })[]>(
    "wallet check",
  );
  assert.deepEqual(rows.map(({ variable }) => variable).sort(), Object.keys(keys).sort());
  assert.ok(rows.every(({ addresses }) => addresses.length === 5));
  // The first two accounts of every development chain with these words.
  assert.deepEqual(rows.find(({ variable }) => variable === "LIVE_BEP20_XPUB")?.addresses.slice(0, 2), [
    { path: "m/44'/60'/0'/0/0", address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" },
    { path: "m/44'/60'/0'/0/1", address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  ]);
  assert.deepEqual(readdirSync(folder), []);
  await cliOf().refuses({
    "wallet check": "no account key is configured: see docs/operate/wallets.md",
  });
});
