import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { refused, succeeded } from "#tests/support/says.ts";

const api = await startTestApi();
const merchant = await api.merchant();
type Query = RequestQuery<"/transaction/fee">;
const ask = (query: Query) => api.client(merchant.test).GET("/transaction/fee", { params: { query } });
const send = (query: string, key = merchant.test) => api.send({ path: `/transaction/fee${query}`, key });
const quoted = (answer: Parameters<typeof succeeded>[0], data: unknown) =>
  succeeded(answer, "fee retrieved successfully", data);

for (const [token, amount, fee] of [
  [undefined, undefined, undefined],
  ["usdt", undefined, undefined],
  [undefined, "150.5", "1.505"],
  ["btc", "1", "0.01"],
  ["btc", "0.00000001", "0.00000001"],
  ["btc", "0.00000101", "0.00000002"],
  ["eth", "1e-2", "0.0001"],
] as const) {
  test(`the fee of ${amount} ${token}`, async () => {
    const answer = await ask({ ...(token && { token }), ...(amount && { amount }) });
    quoted(answer, { percentage: "1", symbol: token ?? "usdt", ...(fee && { fee }) });
  });
}

for (const [query, data] of [
  ["?token=&amount=", { percentage: 1, symbol: "usdt" }],
  ["?token=USDT", { percentage: 1, symbol: "usdt" }],
  ["?token=BTC&amount=0.00000001", { percentage: 1, symbol: "btc", fee: 0.00000001 }],
] as const) {
  test(`GET /transaction/fee${query}`, async () => quoted(await send(query), data));
}

for (const [query, message] of [
  ["?amount=-1", "amount must be greater than 0"],
  ["?amount=abc", "(amount) must be a number"],
  ["?token=btc&amount=0.000000001", "amount has too many decimals"],
  ["?amount=1e400", "amount is too large"],
  ["?token=xyz", "invalid token symbol"],
  ["?token=xyz&amount=0", "invalid token symbol"],
] as const) {
  test(`refuses GET /transaction/fee${query}`, async () => refused(await send(query), 400, message));
}

test("uses the merchant's own percentage and computes the fee exactly in ledger units", async () => {
  const other = await api.merchant();
  await api.database.db.update(merchants).set({ feePercentage: "0.75" }).where(eq(merchants.id, other.id));
  const { text } = await send("?amount=1000000.000000000000000001", other.live);
  assert.equal(
    text,
    '{"status":"success","message":"fee retrieved successfully",' +
      '"data":{"percentage":0.75,"symbol":"usdt","fee":7500.000000000000000001}}',
  );
});
