import assert from "node:assert/strict";
import { test } from "node:test";
import { postTransfer } from "#lib/domain/ledger/post-transfers.ts";
import { priceTransfers } from "#lib/domain/ledger/price-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import { startTestApi } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";
import { succeeded } from "#tests/support/says.ts";
import { anAddress } from "#tests/support/unmatched.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const { db } = api.database;
const merchant = await api.merchant();
const merchantId = merchant.id;

async function totals(volume: string, credit: string, debit: string, key = merchant.test): Promise<void> {
  const data = { total_volume: volume, total_credit: credit, total_debit: debit };
  succeeded(await api.client(key).GET("/analytics/stats"), "statistics retrieved successfully", data);
}
async function counts(breakdownByNetwork: { network: string; count: number }[], key = merchant.test) {
  const totalWalletGenerated = breakdownByNetwork.reduce((sum, { count }) => sum + count, 0);
  const data = { totalWalletGenerated, totalDeletedWallets: 0, breakdownByNetwork };
  succeeded(
    await api.client(key).GET("/analytics/wallet-stats"),
    "wallet statistics retrieved successfully",
    data,
  );
}

test("all totals and counts are zero at first", async () => {
  await totals("0", "0", "0");
  await counts([]);
});

test("values movements in USD at the price of their time, in this environment only", async () => {
  await fund(db, { merchantId, token: "btc", amount: "0.5" }, AT, "60000.5");
  await fund(db, { merchantId, token: "usdt", amount: "100.25" }, AT, "0.999");
  await fund(db, { merchantId, token: "btc", amount: "1", env: "live" }, AT, "2");
  await totals("30100.39975", "30100.39975", "0");
  const spend = { env: "test", token: "usdt", from: `merchant:${merchantId}`, to: "fees" } as const;
  await db.transaction((tx) =>
    postTransfer(tx, { ...spend, amount: units("usdt", "10"), cause: "test:spend" }, AT, () => ({
      price: "1.01",
      source: "kraken",
    })),
  );
  await totals("30110.49975", "30100.39975", "10.1");
  await totals("2", "2", "0", merchant.live);
  const { text } = await api.send({ path: "/analytics/stats", key: merchant.test });
  assert.match(text, /"total_volume":30110\.49975,"total_credit":30100\.39975,"total_debit":10\.1\}/);
});

test("counts a credit without a price as soon as there is one, and a reversed credit no more", async () => {
  const cause = await fund(db, { merchantId, token: "btc", amount: "1" }, AT, null);
  await totals("30110.49975", "30100.39975", "10.1");
  assert.equal(await priceTransfers(db, api.services.rates, AT), 1);
  await totals("90110.49975", "90100.39975", "10.1");
  await db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, AT));
  await totals("30110.49975", "30100.39975", "10.1");
});

test("counts addresses by network, in the document's order, for one merchant and environment", async () => {
  const adapter = api.services.networks.find("test", "bep20")!;
  for (let i = 0; i < 3; i++) await anAddress(db, adapter, merchantId);
  // An address as the adapter of another network would allocate it. This network has no adapter here.
  await anAddress(db, { ...adapter, network: "bitcoin" }, merchantId);
  await anAddress(db, adapter, (await api.merchant()).id);
  await counts([
    { network: "bitcoin", count: 1 },
    { network: "bep20", count: 3 },
  ]);
  await counts([], merchant.live);
});
