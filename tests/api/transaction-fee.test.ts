import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says } from "#tests/support/says.ts";

const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const paylink = api.client(merchant.test);
const send = (query: string, headers: Record<string, string> = { "x-staging-api-key": merchant.test }) =>
  api.send({ path: `/transaction/fee${query}`, headers });
const quote = (data: unknown) => ({ status: "success", message: "fee retrieved successfully", data });

for (const [query, data] of [
  [{}, { percentage: "1", symbol: "usdt" }],
  [{ token: "usdt" }, { percentage: "1", symbol: "usdt" }],
  [{ amount: "150.5" }, { percentage: "1", symbol: "usdt", fee: "1.505" }],
  [
    { token: "btc", amount: "1" },
    { percentage: "1", symbol: "btc", fee: "0.01" },
  ],
  [
    { token: "btc", amount: "0.00000001" },
    { percentage: "1", symbol: "btc", fee: "0.00000001" },
  ],
  [
    { token: "btc", amount: "0.00000101" },
    { percentage: "1", symbol: "btc", fee: "0.00000002" },
  ],
  [
    { token: "eth", amount: "1e-2" },
    { percentage: "1", symbol: "eth", fee: "0.0001" },
  ],
] as const) {
  test(`the fee of ${JSON.stringify(query)}`, async () => {
    says(await paylink.GET("/transaction/fee", { params: { query } }), 200, quote(data));
  });
}

for (const [query, data] of [
  ["?token=&amount=", { percentage: 1, symbol: "usdt" }],
  ["?token=USDT", { percentage: 1, symbol: "usdt" }],
  ["?token=BTC&amount=0.00000001", { percentage: 1, symbol: "btc", fee: 0.00000001 }],
] as const) {
  test(`GET /transaction/fee${query}`, async () => says(await send(query), 200, quote(data)));
}

for (const [query, message] of [
  [{ amount: "0" }, "amount must be greater than 0"],
  [{ amount: "0.000" }, "amount must be greater than 0"],
  [{ amount: "-1" }, "amount must be greater than 0"],
  [{ amount: "-0" }, "amount must be greater than 0"],
  [{ amount: "abc" }, "(amount) must be a number"],
  [{ amount: "0x10" }, "(amount) must be a number"],
  [{ amount: " 1" }, "(amount) must be a number"],
  [{ amount: "NaN" }, "(amount) must be a number"],
  [{ token: "btc", amount: "0.000000001" }, "amount has too many decimals"],
  [{ amount: "1e400" }, "amount is too large"],
] as const) {
  test(`refuses the fee of ${Object.values(query).join(" ")}`, async () => {
    refused(await paylink.GET("/transaction/fee", { params: { query } }), 400, message);
  });
}

for (const query of ["?token=xyz", "?token=xyz&amount=0"]) {
  test(`refuses GET /transaction/fee${query}`, async () => {
    refused(await send(query), 400, "invalid token symbol");
  });
}

test("uses the merchant's own percentage and computes the fee exactly in ledger units", async () => {
  const other = await api.merchant();
  await api.database.db.update(merchants).set({ feePercentage: "0.75" }).where(eq(merchants.id, other.id));
  const { text } = await send("?amount=1000000.000000000000000001", { "x-api-key": other.live });
  assert.equal(
    text,
    '{"status":"success","message":"fee retrieved successfully",' +
      '"data":{"percentage":0.75,"symbol":"usdt","fee":7500.000000000000000001}}',
  );
});

test("requires a key", async () => {
  refused(await api.send({ path: "/transaction/fee" }), 401, "invalid api key");
});
