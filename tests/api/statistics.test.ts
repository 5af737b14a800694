import assert from "node:assert/strict";
import { after, test } from "node:test";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { priceTransfers } from "#lib/domain/ledger/price-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { startApi } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";
import { refused, says } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const merchantId = merchant.id;

async function counts(volume: string, credit: string, debit: string, key = merchant.test): Promise<void> {
  says(await api.client(key).GET("/analytics/stats"), 200, {
    status: "success",
    message: "statistics retrieved successfully",
    data: { total_volume: volume, total_credit: credit, total_debit: debit },
  });
}

test("all totals are zero at first", () => counts("0", "0", "0"));

test("values movements in USD at the price of their time, in this environment only", async () => {
  await fund(db, { merchantId, token: "btc", amount: "0.5" }, AT, "60000.5");
  await fund(db, { merchantId, token: "usdt", amount: "100.25" }, AT, "0.999");
  await fund(db, { merchantId, token: "btc", amount: "1", env: "live" }, AT, "2");
  await counts("30100.39975", "30100.39975", "0");
  const spend = { env: "test", token: "usdt", from: `merchant:${merchantId}`, to: "fees" } as const;
  await db.transaction((tx) =>
    postTransfer(tx, { ...spend, amount: units("usdt", "10"), cause: "test:spend" }, AT, () => ({
      price: "1.01",
      source: "kraken",
    })),
  );
  await counts("30110.49975", "30100.39975", "10.1");
  await counts("2", "2", "0", merchant.live);
  const { text } = await api.send({
    path: "/analytics/stats",
    headers: { "x-staging-api-key": merchant.test },
  });
  assert.match(text, /"total_volume":30110\.49975,"total_credit":30100\.39975,"total_debit":10\.1\}/);
});

test("counts a credit without a price as soon as there is one, and a reversed credit no more", async () => {
  const cause = await fund(db, { merchantId, token: "btc", amount: "1" }, AT, null);
  await counts("30110.49975", "30100.39975", "10.1");
  assert.equal(await priceTransfers(db, api.services.rates, AT), 1);
  await counts("90110.49975", "90100.39975", "10.1");
  await db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, AT));
  await counts("30110.49975", "30100.39975", "10.1");
});

test("requires a key", async () => {
  refused(await api.send({ path: "/analytics/stats" }), 401, "invalid api key");
});
