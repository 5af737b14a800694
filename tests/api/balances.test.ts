import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestBody } from "#lib/client/client.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { fund } from "#tests/support/fund.ts";
import { refused, says } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const paylink = api.client(merchant.test);
const [row] = await db.select().from(merchants).where(eq(merchants.id, merchant.id));
const createdAt = row!.createdAt.toISOString();

type Asked = RequestBody<"/balances">;
const ask = (body: Asked = {}, key = merchant.test) => api.client(key).POST("/balances", { body });
const send = (form: Record<string, string> = {}) =>
  api.send({ path: "/balances", form, headers: { "x-staging-api-key": merchant.test } });
const NOTHING = {
  ...{ btc: "0", eth: "0", usdt: "0", trx: "0", sol: "0", bnb: "0", ltc: "0", doge: "0" },
  ...{ bch: "0", xrp: "0", shib: "0", ada: "0", twt: "0", busd: "0", comp: "0", usdc: "0" },
};
const shown = (amounts: Record<string, unknown>, updated = AT.toISOString()) => ({
  status: "success",
  message: "balances retrieved successfully",
  data: {
    balance: { id: merchant.id, ...amounts, created_at: createdAt, updated_at: updated, deleted_at: null },
  },
});

test("all balances are zero at first", async () => {
  says(await ask(), 200, shown(NOTHING, createdAt));
  says(await paylink.POST("/balances"), 200, shown(NOTHING, createdAt));
});

test("returns all exact balances of this merchant and environment only", async () => {
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "1234567.000000000000000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "0.00000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "2", env: "live" }, AT);
  await fund(db, { merchantId: otherMerchant.id, token: "btc", amount: "5" }, AT);
  const all = { ...NOTHING, btc: "0.00000001", usdt: "1234567.000000000000000001" };
  says(await ask(), 200, shown(all));
  says(await ask({ email: merchant.email }), 200, shown(all));
  says(await ask({ email: merchant.email.toUpperCase() }), 200, shown(all));
  const { text } = await send();
  assert.match(text, /"usdt":1234567\.000000000000000001,/);
  assert.match(text, /^.*"balance":\{"id":\d+,"btc":0\.00000001,"eth":0,/);
  says(await ask({}, merchant.live), 200, shown({ ...NOTHING, btc: "2" }));
});

test("returns only the requested token next to the fields of the record", async () => {
  says(await ask({ token: "btc" }), 200, shown({ btc: "0.00000001" }));
  says(await send({ token: "ETH", email: merchant.email }), 200, shown({ eth: 0 }));
});

for (const email of ["nobody@example.com", otherMerchant.email]) {
  test(`refuses the email ${email}`, async () => refused(await ask({ email }), 403, "Invalid merchant"));
}

for (const form of [{ token: "xyz" }, { email: otherMerchant.email, token: "xyz" }] as Record<
  string,
  string
>[]) {
  test(`refuses ${JSON.stringify(form)}`, async () => refused(await send(form), 400, "invalid token symbol"));
}

test("requires a key", async () => {
  refused(await api.send({ path: "/balances", form: {} }), 401, "invalid api key");
});
