import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/db/schema.ts";
import { startApi } from "#tests/support/api.ts";

const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const ask = (query = "", key = merchant.test) =>
  api.send({
    path: `/transaction/fee${query}`,
    headers: { [key.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: key },
  });
const quote = (data: unknown) => ({
  status: 200,
  body: { status: "success", message: "fee retrieved successfully", data },
});
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });

for (const [query, expected] of [
  ["", quote({ percentage: 1, symbol: "usdt" })],
  ["?token=&amount=", quote({ percentage: 1, symbol: "usdt" })],
  ["?token=USDT", quote({ percentage: 1, symbol: "usdt" })],
  ["?amount=150.5", quote({ percentage: 1, symbol: "usdt", fee: 1.505 })],
  ["?token=btc&amount=1", quote({ percentage: 1, symbol: "btc", fee: 0.01 })],
  ["?token=BTC&amount=0.00000001", quote({ percentage: 1, symbol: "btc", fee: 0.00000001 })],
  ["?token=btc&amount=0.00000101", quote({ percentage: 1, symbol: "btc", fee: 0.00000002 })],
  ["?token=eth&amount=1e-2", quote({ percentage: 1, symbol: "eth", fee: 0.0001 })],
  ["?token=xyz", refused(400, "invalid token symbol")],
  ["?token=xyz&amount=0", refused(400, "invalid token symbol")],
  ["?amount=0", refused(400, "amount must be greater than 0")],
  ["?amount=0.000", refused(400, "amount must be greater than 0")],
  ["?amount=-1", refused(400, "amount must be greater than 0")],
  ["?amount=-0", refused(400, "amount must be greater than 0")],
  ["?amount=abc", refused(400, "(amount) must be a number")],
  ["?amount=0x10", refused(400, "(amount) must be a number")],
  ["?amount=%201", refused(400, "(amount) must be a number")],
  ["?amount=NaN", refused(400, "(amount) must be a number")],
  ["?token=btc&amount=0.000000001", refused(400, "amount has too many decimals")],
  ["?amount=1e400", refused(400, "amount is too large")],
] as const) {
  test(`GET /transaction/fee${query}`, async () => {
    const { status, body } = await ask(query);
    assert.deepEqual({ status, body }, expected);
  });
}

test("the percentage is the merchant's own, and the fee is exact in the ledger's unit", async () => {
  const other = await api.merchant();
  await api.database.db.update(merchants).set({ feePercentage: "0.75" }).where(eq(merchants.id, other.id));
  const { text } = await ask("?amount=1000000.000000000000000001", other.live);
  assert.equal(
    text,
    '{"status":"success","message":"fee retrieved successfully",' +
      '"data":{"percentage":0.75,"symbol":"usdt","fee":7500.000000000000000001}}',
  );
});

test("without a key it is refused", async () => {
  const { status, body } = await api.send({ path: "/transaction/fee" });
  assert.deepEqual({ status, body }, refused(401, "invalid api key"));
});
