/** One merchant's key allocates addresses that nobody pays, as fast as it can. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { customers } from "#lib/domain/merchants/tables.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { startTestApi, type TestMerchant } from "#tests/support/api.ts";
import { refused } from "#tests/support/says.ts";
import { anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const api = await startTestApi();
const { db } = api.database;
await db.update(networkSettings).set({ unpaidAddresses: 5 }).where(eq(networkSettings.network, "bep20"));

const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const LINK = {
  ...{ name: "Ada", amount: "100", amount_currency: "usd", payment_reference: "ORDER1001" },
  ...{ customer_details: CUSTOMER, wallets: [{ network: "bep20", token: "USDT" }] },
  ...{ success_url: "https://shop.example.com/ok", cancel_url: "https://shop.example.com/no" },
};
let keys = 0;
const post = (path: string, json: object, { test: key }: TestMerchant, once = false) => {
  keys += 1;
  return api.send({ path, json, key, ...(once && { headers: { "idempotency-key": `key ${keys}` } }) });
};
const forItself = (by: TestMerchant, once = false) =>
  post("/wallets/generate-merchant-wallet", { network: "bep20", fresh: 1 }, by, once);
const forCustomer = (by: TestMerchant, once = false) =>
  post("/wallets/generate-wallet", { network: "bep20", customer: CUSTOMER, fresh: 1 }, by, once);
const link = (by: TestMerchant, once = false) => post("/payment-links", LINK, by, once);
const countOf = async ({ id }: TestMerchant) => db.$count(addresses, eq(addresses.merchantId, id));

test("refuses more unpaid addresses than the limit, however they are asked for, and writes nothing", async () => {
  const [shop, other] = [await api.merchant(), await api.merchant()];
  for (let i = 0; i < 5; i++) assert.equal((await forItself(shop)).status, 200);
  for (const ask of [forItself, forCustomer, link]) {
    for (const once of [false, true]) {
      const answer = await ask(shop, once);
      refused(answer, 422, "wallet generation failed");
      assert.match(answer.headers.get("x-paylink-hint") ?? "", /^Too many addresses have no payment yet/);
    }
  }
  assert.equal(await countOf(shop), 5);
  assert.equal(await db.$count(customers, eq(customers.merchantId, shop.id)), 0);
  assert.equal(await db.$count(paymentLinks, eq(paymentLinks.merchantId, shop.id)), 0);
  const again = await post("/wallets/generate-merchant-wallet", { network: "bep20" }, shop);
  assert.equal(again.status, 200, "an unused address is still returned");
  assert.equal((await link(other)).status, 200, "another merchant's limit is its own");
  const { wallets: _, ...withoutWallets } = LINK;
  assert.equal((await post("/payment-links", withoutWallets, shop)).status, 200);
});

test("allows more after the first payment", async () => {
  const shop = await api.merchant();
  for (let i = 0; i < 5; i++) assert.equal((await link(shop)).status, 200);
  refused(await link(shop), 422, "wallet generation failed");
  const [paid] = await db.select().from(addresses).where(eq(addresses.merchantId, shop.id)).limit(1);
  const deposit = await anUnmatchedDeposit(db, { addressId: paid!.id, status: "seen" });
  refused(await link(shop), 422, "wallet generation failed");
  await db.execute(sql`update deposits set status = 1 where id = ${deposit.id}`);
  assert.equal((await link(shop)).status, 200);
});

test("allocates exactly the limit to requests at the same time", async () => {
  const shop = await api.merchant();
  const asks = Array.from({ length: 30 }, (_, i) =>
    [forItself, forCustomer, link][i % 3]!(shop, i % 2 === 0),
  );
  const answers = await Promise.all(asks);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    ...Array(5).fill(200),
    ...Array(25).fill(422),
  ]);
  assert.equal(await countOf(shop), 5);
});
