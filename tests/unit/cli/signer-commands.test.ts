/** The commands of the signer's host, apart from `signer run`: its files, what it asks, and what a person approves. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { markRestore, removeRestoreMark } from "#lib/platform/db/unfinished-restore.ts";
import { openMnemonic } from "#lib/signer/key-file.ts";
import { bitcoinAdapter } from "#tests/support/bitcoin-adapter.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { restrict } from "#tests/support/restricted-role.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { ACCOUNT_KEY, bep20 } from "#tests/support/watched-chain.ts";
import { aWithdrawal, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const PASSPHRASE = "correct horse battery";
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const NODE = "http://127.0.0.1:9";
const EMAIL = "shop@example.com";
const t = await databaseOfFile();
const folder = folderOfFile();

/** The command on the database at `url` with these lines on standard input. */
const typingAs = (url: string, ...lines: string[]) =>
  openTestCli(
    () => ({ DATABASE_URL: url, USER: "ada", TEST_BEP20_RPC_URL: NODE, TEST_BEP20_XPUB: ACCOUNT_KEY }),
    { input: lines.map((line) => `${line}\n`).join(""), isDialog: true },
  );
const typing = (...lines: string[]) => typingAs(t.url, ...lines);

test("signer init shows the words once, and writes files that only their owner can read", async () => {
  const dir = join(folder, "new");
  const [key, policy] = [join(dir, "key.json"), join(dir, "policy.json")];
  const line = `signer init --dir ${dir}`;
  await typing("too short").refuses({ [line]: /the passphrase needs at least 12 characters$/m });
  const made = await typing(PASSPHRASE).run(line);
  assert.deepEqual([made.status, made.json()], [0, { key, policy }], made.stderr);
  const [asked, , words] = made.stderr.split("\n");
  assert.equal(asked, "Passphrase: ");
  assert.deepEqual(openMnemonic(readFileSync(key, "utf8"), PASSPHRASE), { ok: true, mnemonic: words });
  assert.deepEqual(JSON.parse(readFileSync(policy, "utf8")), { version: 1, networks: {} });
  assert.deepEqual(
    [dir, key, policy].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o600, 0o600],
  );
  await typing(PASSPHRASE).refuses({ [line]: `${key} exists already: it is not overwritten` });
});

test("signer import takes words and passphrase line by line, and signer status shows the account of them", async () => {
  const dir = join(folder, "imported");
  const line = `signer import --dir ${dir}`;
  await typing("test test", PASSPHRASE).refuses({ [line]: /these are not the words of a wallet/ });
  const made = await typing(`  ${WORDS.toUpperCase()} `, PASSPHRASE).run(line);
  assert.equal(made.status, 0, made.stderr);
  const status = `signer status --dir ${dir}`;
  const unpaid = await typing(PASSPHRASE).run(status);
  assert.deepEqual([unpaid.status, unpaid.json()], [0, []]);
  assert.match(unpaid.stderr, /The policy names no network that is configured here/);
  const tokens = { usdt: { per_transfer: "1000", per_day: "5000", auto_up_to: "500" } };
  const networks = {
    "test.bep20": { max_fee_per_gas_gwei: "100", tokens },
    "test.base": { max_fee_per_gas_gwei: "100", tokens: { usdc: tokens.usdt } },
    "test.litecoin": { max_fee_per_vbyte: "100", consolidate_below: "2", tokens: { ltc: tokens.usdt } },
  };
  writeFileSync(join(dir, "policy.json"), JSON.stringify({ version: 1, networks }));
  const paying = await typing(PASSPHRASE).run(status);
  assert.equal(paying.status, 0, paying.stderr);
  const [shown, ...others] = paying.json() as Record<string, unknown>[];
  assert.deepEqual(others, []);
  assert.match(String(shown?.hot_account), /^0x[0-9a-fA-F]{40}$/);
  assert.deepEqual(shown, {
    network: "test.bep20",
    hot_account: shown?.hot_account,
    tokens: [{ token: "usdt", paid_in_24_hours: "0", per_day: "5000" }],
  });
  await typing("another passphrase").refuses({ [status]: /the passphrase is wrong/ });
  const checked = await typing().run(`signer policy check --dir ${dir}`);
  assert.equal(checked.status, 0, checked.stderr);
  assert.match(checked.stderr, /^test\.base is not configured here/);
  assert.partialDeepStrictEqual(checked.json(), {
    networks: [
      { name: "test.bep20", max_fee_per_gas_gwei: "100", tokens: [{ token: "usdt" }] },
      { name: "test.base" },
      { name: "test.litecoin", consolidate_below: "2" },
    ],
  });
});

test("signer status and signer deploy-sweeper refuse a database that was not restored completely", async () => {
  const dir = join(folder, "restored");
  await typing(WORDS, PASSPHRASE).run(`signer import --dir ${dir}`);
  const tokens = { usdt: { per_transfer: "1000", per_day: "5000", auto_up_to: "500" } };
  const networks = { "test.bep20": { max_fee_per_gas_gwei: "100", tokens } };
  writeFileSync(join(dir, "policy.json"), JSON.stringify({ version: 1, networks }));
  await markRestore(t.db);
  try {
    for (const line of [
      `signer status --dir ${dir}`,
      `signer deploy-sweeper --dir ${dir} --network test.bep20`,
    ])
      await typing(PASSPHRASE).refuses({ [line]: /This database was not restored completely/ });
  } finally {
    await removeRestoreMark(t.db);
  }
});

test("signer status says where the signer cannot pay, because its nodes are Electrum servers", async () => {
  const dir = join(folder, "electrum");
  await typing(WORDS, PASSPHRASE).run(`signer import --dir ${dir}`);
  const btc = { per_transfer: "1", per_day: "2", auto_up_to: "1" };
  const networks = { "test.bitcoin": { max_fee_per_vbyte: "100", tokens: { btc } } };
  writeFileSync(join(dir, "policy.json"), JSON.stringify({ version: 1, networks }));
  const cli = openTestCli(
    () => ({
      ...{ DATABASE_URL: t.url, USER: "ada" },
      TEST_BITCOIN_RPC_URL: "electrum+tcp://127.0.0.1:9",
      TEST_BITCOIN_XPUB: bitcoinAdapter("http://127.0.0.1:9").accountKey,
    }),
    { input: `${PASSPHRASE}\n`, isDialog: true },
  );
  const shown = await cli.run(`signer status --dir ${dir}`);
  assert.equal(shown.status, 0, shown.stderr);
  const tokens = [{ token: "btc", paid_in_24_hours: "0", per_day: "2" }];
  assert.deepEqual(shown.json(), [{ network: "test.bitcoin", hot_account: null, tokens }]);
  assert.match(shown.stderr, /The signer cannot pay on test\.bitcoin: its nodes are Electrum servers/);
});

test("an approver sees what they sign, and signs nothing without a yes, as a role that can do nothing else", async () => {
  const networks = bep20(NODE);
  await fund(t.db, networks.find("test", "bep20")!, await aMerchant(t.db, EMAIL), 100n * USDT);
  const { refid } = await aWithdrawal({ db: t.db, networks }, EMAIL);
  const key = join(folder, "ada.key");
  const role = `approver_${randomUUID().slice(0, 8)}`;
  const url = await restrict(t.database.pool, t.url, role, "approver");
  await typing().answer(`signer approver --out ${key}`);
  const line = `signer approve ${refid} --name ada --key ${key}`;
  const signatures = async () =>
    (await t.database.pool.query("select count(*)::int as n from payout_signatures")).rows[0].n;
  for (const answer of [["no"], []]) {
    const asked = await typingAs(url, ...answer).run(line);
    assert.deepEqual([asked.status, asked.stdout], [1, ""]);
    for (const text of ["bep20", "10", "usdt", DESTINATION, EMAIL, "nothing was signed"])
      assert.ok(asked.stderr.includes(text), `${text} is in ${asked.stderr}`);
  }
  assert.equal(await signatures(), 0);
  const done = await typingAs(url, "yes").run(line);
  assert.equal(done.status, 0, done.stderr);
  assert.partialDeepStrictEqual(done.json(), { refid, approved_by: "ada", to: DESTINATION, amount: "10" });
  assert.equal(await signatures(), 1);
  const { rows: rights } = await t.database.pool.query(
    `select table_name || ': ' || string_agg(distinct privilege_type, ', ' order by privilege_type) as may
     from information_schema.role_column_grants where grantee = $1 and table_schema = 'public' group by table_name order by 1`,
    [role],
  );
  assert.deepEqual(
    rights.map(({ may }) => may),
    [
      "audit_log: INSERT",
      "merchants: SELECT",
      "payout_signatures: INSERT, SELECT, UPDATE",
      "withdrawals: SELECT",
    ],
  );
  await t.database.pool.query(`drop owned by ${role}; drop role ${role}`);
  await typing().refuses({
    [`signer approve 1 --name ada --key ${key}`]: /^there is no withdrawal 1/,
    "signer approver": /give --out for a key file, or --passkey/,
  });
});
