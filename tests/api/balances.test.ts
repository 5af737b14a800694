import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/db/schema.ts";
import { startApi } from "#tests/support/api.ts";
import { fund } from "#tests/support/fund.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const stranger = await api.merchant();
const [row] = await db.select().from(merchants).where(eq(merchants.id, merchant.id));
const createdAt = row!.createdAt.toISOString();

const ask = (
  form: Record<string, string> = {},
  headers = { "x-staging-api-key": merchant.test } as Record<string, string>,
) => api.send({ path: "/balances", form, headers });
const NOTHING = {
  ...{ btc: 0, eth: 0, usdt: 0, trx: 0, sol: 0, bnb: 0, ltc: 0, doge: 0 },
  ...{ bch: 0, xrp: 0, shib: 0, ada: 0, twt: 0, busd: 0, comp: 0 },
};
const shown = (amounts: Record<string, number>, updated = AT.toISOString()) => ({
  status: 200,
  body: {
    status: "success",
    message: "balances retrieved successfully",
    data: {
      balance: { id: merchant.id, ...amounts, created_at: createdAt, updated_at: updated, deleted_at: null },
    },
  },
});
const says = async (answer: ReturnType<typeof ask>, expected: { status: number; body: unknown }) => {
  const { status, body } = await answer;
  assert.deepEqual({ status, body }, expected);
};
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });

test("before anything moved there are fifteen zeros", async () => {
  await says(ask(), shown(NOTHING, createdAt));
});

test("all fifteen, exact; only this merchant's, only this environment's", async () => {
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "1234567.000000000000000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "0.00000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "2", env: "live" }, AT);
  await fund(db, { merchantId: stranger.id, token: "btc", amount: "5" }, AT);
  const all = { ...NOTHING, btc: 1e-8, usdt: Number("1234567.000000000000000001") };
  await says(ask(), shown(all));
  await says(ask({ email: merchant.email }), shown(all));
  await says(ask({ email: merchant.email.toUpperCase() }), shown(all));
  assert.match((await ask()).text, /"usdt":1234567\.000000000000000001,/);
  assert.match((await ask()).text, /^.*"balance":\{"id":\d+,"btc":0\.00000001,"eth":0,/);
  await says(ask({}, { "x-api-key": merchant.live }), shown({ ...NOTHING, btc: 2 }));
});

test("with a token only that one stands beside the record's own", async () => {
  await says(ask({ token: "btc" }), shown({ btc: 1e-8 }));
  await says(ask({ token: "ETH", email: merchant.email }), shown({ eth: 0 }));
});

for (const [form, expected] of [
  [{ token: "xyz" }, refused(400, "invalid token symbol")],
  [{ email: "nobody@example.com" }, refused(403, "Invalid merchant")],
  [{ email: stranger.email }, refused(403, "Invalid merchant")],
  [{ email: stranger.email, token: "xyz" }, refused(400, "invalid token symbol")],
] as const) {
  test(`refused: ${JSON.stringify(form)}`, () => says(ask(form), expected));
}

test("without a key it is refused", () => says(ask({}, {}), refused(401, "invalid api key")));
