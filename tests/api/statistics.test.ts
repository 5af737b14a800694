import assert from "node:assert/strict";
import { after, test } from "node:test";
import { postTransfer } from "#lib/ledger/post-transfers.ts";
import { priceTransfers } from "#lib/ledger/price-transfers.ts";
import { reverseTransfer } from "#lib/ledger/reverse-transfers.ts";
import { startApi } from "#tests/support/api.ts";
import { fund, units } from "#tests/support/fund.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const merchantId = merchant.id;

async function says(volume: number, credit: number, debit: number, key = merchant.test): Promise<void> {
  const { status, body } = await api.send({
    path: "/analytics/stats",
    headers: { [key.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: key },
  });
  assert.deepEqual(
    { status, body },
    {
      status: 200,
      body: {
        status: "success",
        message: "statistics retrieved successfully",
        data: { total_volume: volume, total_credit: credit, total_debit: debit },
      },
    },
  );
}

test("before anything moved all is zero", () => says(0, 0, 0));

test("what comes in and goes out counts in USD at the price of its moment, in this environment only", async () => {
  await fund(db, { merchantId, token: "btc", amount: "0.5" }, AT, "60000.5");
  await fund(db, { merchantId, token: "usdt", amount: "100.25" }, AT, "0.999");
  await fund(db, { merchantId, token: "btc", amount: "1", env: "live" }, AT, "2");
  await says(30_100.39975, 30_100.39975, 0);
  const spend = { env: "test", token: "usdt", from: `merchant:${merchantId}`, to: "fees" } as const;
  await db.transaction((tx) =>
    postTransfer(tx, { ...spend, amount: units("usdt", "10"), cause: "test:spend" }, AT, () => "1.01"),
  );
  await says(30_110.49975, 30_100.39975, 10.1);
  await says(2, 2, 0, merchant.live);
});

test("a credit without a price counts as soon as there is one; one taken back counts no more", async () => {
  const cause = await fund(db, { merchantId, token: "btc", amount: "1" }, AT, null);
  await says(30_110.49975, 30_100.39975, 10.1);
  assert.equal(await priceTransfers(db, api.services.rates, AT), 1);
  await says(90_110.49975, 90_100.39975, 10.1);
  await db.transaction((tx) => reverseTransfer(tx, cause, `${cause}:reversal`, AT));
  await says(30_110.49975, 30_100.39975, 10.1);
});

test("without a key it is refused", async () => {
  const { status, body } = await api.send({ path: "/analytics/stats" });
  assert.deepEqual({ status, body }, { status: 401, body: { status: "fail", message: "invalid api key" } });
});
