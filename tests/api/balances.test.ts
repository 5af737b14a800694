import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { fund } from "#tests/support/fund.ts";
import { refused, succeeded } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const { db } = api.database;
const merchant = await api.merchant();
const otherMerchant = await api.merchant();
const paylink = api.client(merchant.test);
const [row] = await db.select().from(merchants).where(eq(merchants.id, merchant.id));
const createdAt = row!.createdAt.toISOString();

type Asked = RequestBody<"/balances">;
const ask = (body: Asked = {}, key = merchant.test) => api.client(key).POST("/balances", { body });
const send = (form: Record<string, string> = {}) => api.send({ path: "/balances", form, key: merchant.test });
const NOTHING = {
  ...{ btc: "0", eth: "0", usdt: "0", trx: "0", sol: "0", bnb: "0", ltc: "0", doge: "0" },
  ...{ bch: "0", xrp: "0", shib: "0", ada: "0", twt: "0", busd: "0", comp: "0", usdc: "0" },
};
type Answer = Parameters<typeof succeeded>[0];
const shows = (answer: Answer, amounts: Record<string, unknown>, updated_at = AT.toISOString()) =>
  succeeded(answer, "balances retrieved successfully", {
    balance: { id: merchant.id, ...amounts, created_at: createdAt, updated_at, deleted_at: null },
  });

test("all balances are zero at first", async () => {
  shows(await ask(), NOTHING, createdAt);
  shows(await paylink.POST("/balances"), NOTHING, createdAt);
});

test("returns all exact balances of this merchant and environment only", async () => {
  await fund(db, { merchantId: merchant.id, token: "usdt", amount: "1234567.000000000000000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "0.00000001" }, AT);
  await fund(db, { merchantId: merchant.id, token: "btc", amount: "2", env: "live" }, AT);
  await fund(db, { merchantId: otherMerchant.id, token: "btc", amount: "5" }, AT);
  const all = { ...NOTHING, btc: "0.00000001", usdt: "1234567.000000000000000001" };
  shows(await ask(), all);
  shows(await ask({ email: merchant.email }), all);
  shows(await ask({ email: merchant.email.toUpperCase() }), all);
  const { text } = await send();
  assert.match(text, /"usdt":1234567\.000000000000000001,/);
  assert.match(text, /^.*"balance":\{"id":\d+,"btc":0\.00000001,"eth":0,/);
  shows(await ask({}, merchant.live), { ...NOTHING, btc: "2" });
});

test("returns only the requested token next to the fields of the record", async () => {
  shows(await ask({ token: "btc" }), { btc: "0.00000001" });
  shows(await send({ token: "ETH", email: merchant.email }), { eth: 0 });
});

test("refuses the email of nobody and of another merchant, but first an unknown token", async () => {
  for (const email of ["nobody@example.com", otherMerchant.email])
    refused(await ask({ email }), 403, "Invalid merchant");
  refused(await send({ token: "xyz" }), 400, "invalid token symbol");
  refused(await send({ email: otherMerchant.email, token: "xyz" }), 400, "invalid token symbol");
});
