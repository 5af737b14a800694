import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { aForeignDeposit, aMerchant, anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { ACCOUNT_KEY, bep20 } from "#tests/support/watched-chain.ts";
import { readDecisions } from "./decisions.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const NODE = "http://127.0.0.1:9";
const adapter = bep20(NODE).find("test", "bep20")!;

const t = await databaseOfFile();
const first = await aMerchant(t.db, "first@example.com");
const second = await aMerchant(t.db, "second@example.com");
const mine = await anAddress(t.db, adapter, first);
const theirs = await anAddress(t.db, adapter, second);
const address = adapter.addresses.display(mine.address);
const held = await anUnmatchedDeposit(t.db, { addressId: mine.id, at: AT });
const unknown = await aForeignDeposit(t.db, { addressId: theirs.id, at: AT });

const cli = openTestCli(() => ({
  DATABASE_URL: t.url,
  USER: "ada",
  TEST_BEP20_RPC_URL: NODE,
  TEST_BEP20_XPUB: ACCOUNT_KEY,
}));

test("deposits unmatched lists deposits of every merchant, newest first, by environment", async () => {
  const rows = await cli.answer<Row[]>("deposits unmatched --env test");
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
  assert.deepEqual(await cli.answer("deposits unmatched"), []);
});

test("deposits resolve credits once, prints the result, and records the user's name", async () => {
  const to = "--to second@example.com";
  await cli.refuses({
    [`deposits resolve ${held.id} --to nobody@example.com`]:
      "no merchant has this e-mail address: see `merchant list`",
    [`deposits resolve 999999 ${to}`]: "no unmatched deposit has this id: see `deposits unmatched`",
  });
  for (const [{ id }, credited] of [
    [held, { token: "usdt", amount: "5" }],
    [unknown, null],
  ] as const) {
    const resolved = await cli.answer(`deposits resolve ${id} ${to}`);
    assert.deepEqual(resolved, { id, resolved: true, merchant: "second@example.com", credited });
    await cli.refuses({ [`deposits resolve ${id} ${to}`]: "the deposit is already resolved" });
  }
  await cli.misuses(/^error: /, `deposits resolve x ${to}`, `deposits resolve ${held.id}`);
  assert.deepEqual(
    (await readDecisions(t.db)).map(({ actor, action, subject }) => [actor, action, subject]),
    [
      ["operator:ada", "deposit.resolve", `deposit:${held.id}`],
      ["operator:ada", "deposit.resolve", `deposit:${unknown.id}`],
    ],
  );
  assert.deepEqual(await cli.answer("deposits unmatched --env test"), []);
  assert.equal((await cli.answer("ledger check")).ok, true);
});

test("deposits resolve-many prints what fits, and resolves it only when confirmed", async () => {
  const flooded = await anAddress(t.db, adapter, await aMerchant(t.db, "flooded@example.com"));
  const { id } = await anUnmatchedDeposit(t.db, { addressId: flooded.id, at: AT }, 10n ** 17n);
  const many = "deposits resolve-many --to second@example.com --env test --merchant flooded@example.com";
  const some = `${many} --token usdt --below 1 --older-than 1d`;
  const preview = { deposits: 1, amounts: { usdt: "0.1" }, unknown_tokens: 0, confirm: id };
  assert.deepEqual(await cli.answer(some), preview);
  assert.deepEqual(await cli.answer(some), preview);
  const run = await cli.run(`${some} --confirm ${id}`);
  assert.deepEqual(run.json(), { resolved: 1, merchant: "second@example.com" });
  assert.match(run.stderr, /resolved 1 of 1/);
  const none = { deposits: 0, amounts: {}, unknown_tokens: 0, confirm: null };
  assert.deepEqual(await cli.answer(many), none);
  await cli.misuses(/--below needs --token/, `${many} --below 1`);
});
