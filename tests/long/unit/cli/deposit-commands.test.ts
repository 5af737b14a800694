import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HDKey } from "@scure/bip32";
import { openNetworks } from "#lib/chains/registry.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";
import { aForeignDeposit, aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const config = {
  env: "test",
  network: "bep20",
  rpcUrls: ["http://127.0.0.1:9"],
  accountKey: HDKey.fromMasterSeed(Buffer.alloc(32, 3)).derive("m/44'/60'/0'").publicExtendedKey,
  zmqUrl: null,
  chainId: null,
  contracts: {},
} as const;
const adapter = openNetworks([config]).find("test", "bep20")!;
let t: TestDatabase;
let held: { id: number; txHash: string };
let unknown: { id: number; txHash: string };
let address: string;

before(async () => {
  t = await testDatabase();
  const first = await aMerchant(t.db, "first@example.com");
  const second = await aMerchant(t.db, "second@example.com");
  const mine = await anAddress(t.db, adapter, first);
  const theirs = await anAddress(t.db, adapter, second);
  address = adapter.displayAddress(mine.address);
  held = await anUnmatchedDeposit(t.db, { addressId: mine.id, at: AT });
  unknown = await aForeignDeposit(t.db, { addressId: theirs.id, at: AT });
});
after(() => t.close());

const cli = (...args: string[]) =>
  runCli(
    {
      DATABASE_URL: t.url,
      USER: "ada",
      TEST_BEP20_RPC_URL: config.rpcUrls[0],
      TEST_BEP20_XPUB: config.accountKey,
    },
    "deposits",
    ...args,
  );

function refused(run: CliRun, message: string): void {
  assert.deepEqual(
    { status: run.status, stdout: run.stdout, stderr: run.stderr },
    { status: 1, stdout: "", stderr: `${message}\n` },
  );
}

test("deposits unmatched lists deposits of every merchant, newest first, by environment", () => {
  const run = cli("unmatched", "--env", "test");
  assert.equal(run.status, 0, run.stderr);
  const rows = run.json() as { id: number; merchant: string }[];
  assert.deepEqual(
    rows.map(({ id, merchant }) => [id, merchant]),
    [
      [unknown.id, "second@example.com"],
      [held.id, "first@example.com"],
    ],
  );
  assert.deepEqual(rows[1], {
    id: held.id,
    env: "test",
    network: "bep20",
    reason: "no_purpose",
    held: true,
    merchant: "first@example.com",
    customer: null,
    token: "usdt",
    amount: "5",
    contract: null,
    raw_amount: null,
    address,
    address_network: "bep20",
    sender: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    extra: null,
    tx_hash: held.txHash,
    output_pos: 4,
    created_at: AT.toISOString(),
  });
  assert.deepEqual(cli("unmatched").json(), []);
});

test("deposits resolve credits once, prints the result, and records the user's name", async () => {
  const resolve = (id: number, to: string) => cli("resolve", String(id), "--to", to);
  refused(resolve(held.id, "nobody@example.com"), "no merchant has this e-mail address: see `merchant list`");
  assert.deepEqual(resolve(held.id, "second@example.com").json(), {
    id: held.id,
    resolved: true,
    merchant: "second@example.com",
    credited: { token: "usdt", amount: "5" },
  });
  refused(resolve(held.id, "second@example.com"), "the deposit is already resolved");
  assert.deepEqual(resolve(unknown.id, "second@example.com").json(), {
    id: unknown.id,
    resolved: true,
    merchant: "second@example.com",
    credited: null,
  });
  refused(resolve(unknown.id, "second@example.com"), "the deposit is already resolved");
  refused(
    resolve(999_999, "second@example.com"),
    "no unmatched deposit has this id: see `deposits unmatched`",
  );
  assert.equal(cli("resolve", "x", "--to", "second@example.com").status, 2);
  assert.equal(cli("resolve", String(held.id)).status, 2);
  const audit = await t.db.select().from(auditLog).orderBy(auditLog.id);
  assert.deepEqual(
    audit.map(({ actor, action, subject }) => [actor, action, subject]),
    [
      ["operator:ada", "deposit.resolve", `deposit:${held.id}`],
      ["operator:ada", "deposit.resolve", `deposit:${unknown.id}`],
    ],
  );
  assert.deepEqual(cli("unmatched", "--env", "test").json(), []);
  const check = runCli({ DATABASE_URL: t.url }, "ledger", "check");
  assert.equal(check.status, 0, check.stdout);
});

test("deposits resolve-many prints what fits, and resolves it only when confirmed", async () => {
  const address = await anAddress(t.db, adapter, await aMerchant(t.db, "flooded@example.com"));
  const { id } = await anUnmatchedDeposit(t.db, { addressId: address.id, at: AT }, 10n ** 17n);
  const many = (...args: string[]) =>
    cli(
      "resolve-many",
      "--to",
      "second@example.com",
      "--env",
      "test",
      "--merchant",
      "flooded@example.com",
      ...args,
    );
  const some = ["--token", "usdt", "--below", "1", "--older-than", "1d"];
  const preview = { deposits: 1, amounts: { usdt: "0.1" }, unknown_tokens: 0, confirm: id };
  assert.deepEqual(many(...some).json(), preview);
  assert.deepEqual(many(...some).json(), preview);
  const run = many(...some, "--confirm", String(id));
  assert.deepEqual(run.json(), { resolved: 1, merchant: "second@example.com" });
  assert.match(run.stderr, /resolved 1 of 1/);
  assert.deepEqual(many().json(), { deposits: 0, amounts: {}, unknown_tokens: 0, confirm: null });
  assert.match(many("--below", "1").stderr, /--below needs --token/);
});
