/** The debt of a merchant after a credit was reversed that it had spent: each later credit of the token repays it. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { sql } from "drizzle-orm";
import { type BuyDeps, buyToken } from "#lib/domain/ledger/buy-token.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { exportEntries, getStatement } from "#lib/domain/ledger/statements.ts";
import { getBalance } from "#lib/domain/ledger/store.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { programActAt } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { fund, units } from "#tests/support/fund.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const PRICES: Record<string, string> = { usdt: "1", btc: "60000" };
const database = await databaseOfFile();
let deps: BuyDeps;
let merchantCount = 0;

before(async () => {
  const rates = {
    current: (token: TokenCode) => ({ price: PRICES[token] ?? "1", source: "test", at: now }),
    refresh: async () => {},
    start: () => {},
    stop: () => {},
  };
  deps = { db: database.db, rates, deskLimitUsd: 1_000_000, deskSpreadBps: 0 };
});

const newMerchant = () => aMerchant(database.db, `debtor${++merchantCount}@example.com`);
const balances = async (merchantId: number, token: TokenCode) => ({
  own: await getBalance(database.db, { env: "test", token, code: `merchant:${merchantId}` }),
  debt: await getBalance(database.db, { env: "test", token, code: `receivable:${merchantId}` }),
});
/** A credit that the merchant has spent. Returns its cause. */
async function spend(merchantId: number, token: TokenCode, amount: string): Promise<string> {
  const cause = await fund(database.db, { merchantId, token, amount }, now);
  const spent = { env: "test", token, from: `merchant:${merchantId}`, to: "fees" } as const;
  const transfer = { ...spent, amount: units(token, amount), cause: `spent:${cause}` };
  await database.db.transaction((tx) => postTransfer(tx, transfer, now));
  return cause;
}
const reverse = (cause: string) =>
  database.db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, now));

test("a buy repays what the merchant owes of the token", async () => {
  const merchantId = await newMerchant();
  await reverse(await spend(merchantId, "btc", "1"));
  await fund(database.db, { merchantId, token: "usdt", amount: "100000" }, now);
  const buy = (amount: string) =>
    buyToken(programActAt(database.db, merchantId, now), {
      deps,
      order: { feePercentage: "1", token: "btc", amount: units("btc", amount) },
    });
  assert.deepEqual(await buy("0.3"), { ok: true });
  assert.deepEqual(await balances(merchantId, "btc"), { own: 0n, debt: -units("btc", "0.7") });
  assert.deepEqual(await buy("0.8"), { ok: true });
  assert.deepEqual(await balances(merchantId, "btc"), { own: units("btc", "0.1"), debt: 0n });
  assert.deepEqual((await checkLedger(database.db)).problems, []);
});

test("a statement and an export name the buy of a repayment", async () => {
  const merchantId = await newMerchant();
  await reverse(await spend(merchantId, "btc", "1"));
  await fund(database.db, { merchantId, token: "usdt", amount: "100000" }, now);
  const order = { feePercentage: "1", token: "btc", amount: units("btc", "0.3") } as const;
  const act = programActAt(database.db, merchantId, now);
  assert.deepEqual(await buyToken(act, { deps, order }), { ok: true });
  const month = {
    env: "test",
    merchantId,
    from: new Date("2026-03-01Z"),
    to: new Date("2026-04-01Z"),
  } as const;
  const btc = (await getStatement(database.db, month)).find(({ token }) => token === "btc");
  const bought = btc?.movements.filter(({ kind }) => kind !== "operator" && kind !== "spent");
  assert.deepEqual(bought, [{ kind: "buy", isReversal: false, count: 2, amount: 0n }]);
  const entries = (await Array.fromAsync(exportEntries(database.db, month))).flat();
  const [repayment, token] = entries.filter((entry) => entry.token === "btc");
  const sign = (amount: bigint | undefined) => (amount ?? 0n) / units("btc", "0.3");
  assert.deepEqual([sign(repayment?.amount), sign(token?.amount)], [-1n, 1n]);
  assert.ok(token?.cause.id);
  const { id, subject } = token.cause;
  assert.deepEqual(repayment?.cause, { id, subject, part: "repayment", isReversal: false });
});

test("a credit that waits for the reversal that begins the debt repays it", async () => {
  const merchantId = await newMerchant();
  const cause = await spend(merchantId, "usdt", "100");
  const waiting = async () => {
    const { rows } = await database.db.execute(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  let credit: Promise<string> | null = null;
  await database.db.transaction(async (tx) => {
    await reverseTransfer(tx, cause, `${cause}:reversal`, now);
    credit = fund(database.db, { merchantId, token: "usdt", amount: "30" }, now);
    await until("the credit waits", waiting);
  });
  await credit;
  assert.deepEqual(await balances(merchantId, "usdt"), { own: 0n, debt: -units("usdt", "70") });
  assert.deepEqual((await checkLedger(database.db)).problems, []);
});
