import assert from "node:assert/strict";
import { before, test } from "node:test";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import type { OperatorMovement } from "#lib/domain/ledger/movement-rules.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { listLedgerAccounts } from "#lib/domain/ledger/queries.ts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { hereBy } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { fund, units } from "#tests/support/fund.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const database = await databaseOfFile();
let merchantId: number;

before(async () => {
  merchantId = await aMerchant(database.db, "shop@example.com");
  // The merchant has 100 USDT in custody:bep20. 3 of them became fees.
  await fund(database.db, { env: "test", merchantId, token: "usdt", amount: "100" }, now);
  await database.db.transaction((tx) =>
    postTransfer(
      tx,
      {
        env: "test",
        token: "usdt",
        from: `merchant:${merchantId}`,
        to: "fees",
        amount: units("usdt", "3"),
        cause: "test:fee",
      },
      now,
    ),
  );
});

/** Maps "account token" to whole tokens, without zero balances. */
async function books(): Promise<Record<string, string>> {
  const accounts = await listLedgerAccounts(database.db, "test");
  return Object.fromEntries(
    accounts
      .filter(({ balance }) => balance !== 0n)
      .map(({ code, token, balance }) => [
        `${code} ${token}`,
        formatAmount(balance, TOKENS[token].ledgerDecimals),
      ])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );
}

let reference = 0;
function record(movement: OperatorMovement, token: TokenCode, amount: string, name?: string) {
  reference += 1;
  const given = {
    env: "test" as const,
    token,
    amount: units(token, amount),
    reference: name ?? `ref-${reference}`,
    movement,
  };
  return database.db.transaction((tx) => recordMovement(hereBy(tx, now), given));
}

test("records movements between networks, added funds and taken profit without a change for merchants", async () => {
  const start = { [`merchant:${merchantId} usdt`]: "97", "custody:bep20 usdt": "-100", "fees usdt": "3" };
  assert.deepEqual(await books(), start);

  assert.ok((await record({ kind: "between_networks", network: "bep20", to: "trc20" }, "usdt", "40")).ok);
  assert.ok((await record({ kind: "brought_in", network: "bitcoin" }, "btc", "0.5")).ok);
  assert.ok((await record({ kind: "taken_out", network: "trc20", account: "fees" }, "usdt", "3")).ok);
  assert.deepEqual(await books(), {
    [`merchant:${merchantId} usdt`]: "97",
    "custody:bep20 usdt": "-60",
    "custody:trc20 usdt": "-37",
    "custody:bitcoin btc": "-0.5",
    "desk btc": "0.5",
  });
  assert.deepEqual((await checkLedger(database.db)).problems, []);
});

test("refuses movements that the balances do not allow and changes nothing", async () => {
  const before = await books();
  const between = (network: "bep20" | "trc20", to: "bep20" | "trc20" | "bitcoin"): OperatorMovement => ({
    kind: "between_networks",
    network,
    to,
  });
  const cases: [Awaited<ReturnType<typeof record>>, string][] = [
    [await record(between("trc20", "bep20"), "usdt", "37.000000000000000001"), "custody_too_small"],
    [await record(between("bep20", "bep20"), "usdt", "1"), "movement_to_the_same_network"],
    [await record(between("bep20", "bitcoin"), "usdt", "1"), "token_not_on_network"],
    [
      await record({ kind: "taken_out", network: "bep20", account: "fees" }, "usdt", "1"),
      "account_too_small",
    ],
    [
      await record({ kind: "taken_out", network: "bitcoin", account: "desk" }, "btc", "0.6"),
      "custody_too_small",
    ],
    [await record(between("bep20", "trc20"), "usdt", "0"), "movement_amount_not_positive"],
    [await record(between("bep20", "trc20"), "usdt", "1", "two words"), "movement_reference_malformed"],
  ];
  for (const [result, reason] of cases) assert.deepEqual(result, { ok: false, reason });
  assert.deepEqual(await books(), before);
});

test("records fifty concurrent movements with one reference once, and never moves more than custody holds", async () => {
  const movement: OperatorMovement = { kind: "between_networks", network: "bep20", to: "trc20" };
  const same = await Promise.all(Array.from({ length: 50 }, () => record(movement, "usdt", "1", "once")));
  assert.equal(same.filter(({ ok }) => ok).length, 1);
  const own = await Promise.all(Array.from({ length: 50 }, () => record(movement, "usdt", "2")));
  assert.equal(own.filter(({ ok }) => ok).length, 29);
  assert.equal((await books())["custody:bep20 usdt"], "-1");
  assert.deepEqual((await checkLedger(database.db)).problems, []);
});

test("ledger add-funds records a reference once, with an audit entry", async () => {
  const cli = openTestCli(() => ({ DATABASE_URL: database.url, USER: "ada" }));
  const line = "ledger add-funds --token btc --network bitcoin --amount 0.25 --reference coins-7 --env test";
  const { transfer, ...output } = await cli.answer(line);
  assert.deepEqual(output, {
    env: "test",
    token: "btc",
    amount: "0.25",
    reference: "coins-7",
    kind: "brought_in",
    network: "bitcoin",
  });
  const { rows } = await database.db.execute(
    `select actor, action, subject from audit_log where subject = 'transfer:${transfer}'`,
  );
  assert.deepEqual(rows, [
    { actor: "operator:ada", action: "ledger.movement", subject: `transfer:${transfer}` },
  ]);
  await cli.refuses({
    [line]: "a movement with this reference is already recorded: nothing was changed",
  });
  assert.equal((await books())["desk btc"], "0.75");
});
