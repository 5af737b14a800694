import assert from "node:assert/strict";
import { test } from "node:test";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { priceTransfers } from "#lib/domain/ledger/price-transfers.ts";
import { getStatistics } from "#lib/domain/ledger/queries.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import type { DepositCredit } from "#lib/domain/ledger/types.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";

const database = await databaseOfFile();
let merchantId: number;
const now = new Date("2026-03-01T12:00:00.000Z");
let merchantCount = 0;
let causes = 0;

/** A separate merchant for each test, so that its totals start at zero. */
const newMerchant = () => aMerchant(database.db, `v${++merchantCount}@example.com`);

const credit = (changes: Partial<DepositCredit> = {}): DepositCredit => {
  causes += 1;
  const cause = `operator:test:${causes}`;
  return { env: "test", token: "btc", network: "bitcoin", merchantId, amount: 10n ** 8n, cause, ...changes };
};
const give = (one: DepositCredit, price: string | null) =>
  database.db.transaction((tx) =>
    creditMerchants(tx, [one], now, () => (price === null ? null : { price, source: "kraken" })),
  );
const reverse = (cause: string) =>
  database.db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, now));
const totals = () => getStatistics(database.db, "test", merchantId);
const ratesOf = (prices: Record<string, string>): Rates => ({
  current: (token, currency) =>
    currency === "usd" && prices[token] ? { price: prices[token], source: "test", at: now } : null,
  refresh: async () => {},
  start: () => {},
  stop: () => {},
});
const sweep = (prices: Record<string, string>) => priceTransfers(database.db, ratesOf(prices), now);
const clean = async () => assert.deepEqual((await checkLedger(database.db)).problems, []);

test("counts a credit at its current price in 10^-8 USD, and reverses exactly that value", async () => {
  merchantId = await newMerchant();
  const one = credit({ amount: 150_000_000n });
  await give(one, "60000.123456789012");
  assert.deepEqual(await totals(), { credit: 9_000_018_518_518n, debit: 0n });
  await give(credit({ token: "usdt", network: "bep20", amount: 10n ** 18n }), "0.999");
  assert.deepEqual(await totals(), { credit: 9_000_018_518_518n + 99_900_000n, debit: 0n });
  await reverse(one.cause);
  assert.deepEqual(await totals(), { credit: 99_900_000n, debit: 0n });
  await clean();
});

test("credits without a price, and counts the credit once when there is a price", async () => {
  merchantId = await newMerchant();
  await give(credit(), null);
  assert.deepEqual(await totals(), { credit: 0n, debit: 0n });
  assert.equal(await sweep({}), 0);
  assert.equal(await sweep({ usdt: "1" }), 0);
  assert.equal(await sweep({ btc: "50000" }), 1);
  assert.equal(await sweep({ btc: "70000" }), 0);
  assert.deepEqual(await totals(), { credit: 50_000n * 10n ** 8n, debit: 0n });
  await clean();
});

test("never counts a transfer that is reversed before it has a price", async () => {
  merchantId = await newMerchant();
  const one = credit();
  await give(one, null);
  await reverse(one.cause);
  assert.equal(await sweep({ btc: "50000" }), 0);
  assert.deepEqual(await totals(), { credit: 0n, debit: 0n });
  await clean();
});

test("counts each transfer once with concurrent runs", async () => {
  merchantId = await newMerchant();
  for (let i = 0; i < 20; i += 1) await give(credit(), null);
  const priced = await Promise.all(Array.from({ length: 4 }, () => sweep({ btc: "1" })));
  assert.equal(
    priced.reduce((sum, n) => sum + n, 0),
    20,
  );
  assert.deepEqual(await totals(), { credit: 20n * 10n ** 8n, debit: 0n });
  await clean();
});

test("counts outgoing transfers as debit, and ignores receivables, covers and repayments", async () => {
  merchantId = await newMerchant();
  const one = credit();
  await give(one, "10");
  const spend = { env: "test", token: "btc", from: `merchant:${merchantId}`, to: "fees" } as const;
  await database.db.transaction((tx) =>
    postTransfer(tx, { ...spend, amount: 10n ** 8n, cause: `test:spend:${merchantId}` }, now, () => ({
      price: "20",
      source: "kraken",
    })),
  );
  assert.deepEqual(await totals(), { credit: 10n * 10n ** 8n, debit: 20n * 10n ** 8n });
  await reverse(one.cause);
  assert.deepEqual(await totals(), { credit: 0n, debit: 20n * 10n ** 8n });
  await give(credit({ amount: 3n * 10n ** 8n }), "10");
  assert.deepEqual(await totals(), { credit: 30n * 10n ** 8n, debit: 20n * 10n ** 8n });
  await clean();
});

test("ledger check reports a total that differs from the values", async () => {
  await database.db.execute("update merchant_totals set credit = credit + 1 where credit > 0");
  const { ok, problems } = await checkLedger(database.db);
  assert.equal(ok, false);
  assert.match(problems[0] ?? "", /^the totals of merchant \d+ \(test\) are/);
  await database.db.execute("update merchant_totals set credit = credit - 1 where credit > 0");
  await clean();
});
