import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const t = await databaseOfFile();

const cli = openTestCli(() => ({ DATABASE_URL: t.url }));

test("ledger check exits 0 for correct books and 1 otherwise", async () => {
  assert.deepEqual(await cli.answer("ledger check"), {
    ok: true,
    problems: [],
    figures: { accounts: 0, transfers: 0, credited_deposits: 0, held_deposits: 0, custody: [] },
  });
  await t.db.execute(
    "insert into ledger_accounts (env, token, code, balance) values ('live', 'usdt', 'custody:bep20', -1500000000000000000)",
  );
  const broken = await cli.run("ledger check");
  const { ok, problems, figures } = broken.json() as {
    ok: boolean;
    problems: string[];
    figures: { custody: unknown };
  };
  assert.deepEqual([broken.status, ok], [1, false]);
  assert.equal(broken.stderr, `the ledger has ${problems.length} problem(s)\n`);
  assert.ok(problems.length > 0);
  assert.deepEqual(figures.custody, [{ env: "live", network: "bep20", token: "usdt", held: "1.5" }]);
});

test("ledger balances lists the accounts of an environment or a merchant", async () => {
  const id = await aMerchant(t.db, "shop@example.com");
  await aMerchant(t.db, "other@example.com");
  await t.db.execute(`insert into ledger_accounts (env, token, code, merchant_id, balance) values
    ('test', 'usdt', 'merchant:${id}', ${id}, 1500000000000000000), ('test', 'usdt', 'custody:bep20', null, -1500000000000000000),
    ('live', 'btc', 'merchant:${id}', ${id}, 1)`);
  const own = { env: "test", account: `merchant:${id}`, token: "usdt", balance: "1.5" };
  const custody = { env: "test", account: "custody:bep20", token: "usdt", balance: "-1.5" };
  const line = "ledger balances --env test";
  assert.deepEqual(await cli.answer(line), [custody, own]);
  assert.deepEqual(await cli.answer(`${line} --merchant shop@example.com`), [own]);
  assert.deepEqual(await cli.answer("ledger balances --merchant other@example.com"), []);
  await cli.refuses({
    "ledger balances --merchant nobody@example.com":
      "no merchant has this e-mail address: see `merchant list`",
  });
});
