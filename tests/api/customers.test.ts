import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { RequestQuery } from "#lib/client/client.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { refused, says, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const paylink = api.client(merchant.test);
const EMPTY = {
  status: "success",
  message: "customers retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};
const list = (query: RequestQuery<"/customers"> = {}, key = merchant.test) =>
  api.client(key).GET("/customers", { params: { query } });

test("the list is empty at first", async () => says(await list(), 200, EMPTY));

test("lists every customer of a link or a wallet once, complete, newest first", async () => {
  const details = { email: "ada@example.com", first_name: "Ada", last_name: "Obi", phone: "+2348012345678" };
  const body = { ...PAYMENT_LINK, customer_details: details };
  for (let i = 0; i < 2; i++) successOf(await paylink.POST("/payment-links", { body }));
  const customer = { email: "bob@example.com", first_name: "Bob", last_name: "Eze" };
  successOf(await paylink.POST("/wallets/generate-wallet", { body: { network: "bep20", customer } }));
  await db.update(customers).set({ createdAt: AT });
  await db.update(customers).set({ blacklisted: true }).where(eq(customers.email, customer.email));
  await db.update(customers).set({ verified: true }).where(eq(customers.email, details.email));
  const rows = await db.select().from(customers).orderBy(customers.id);
  const [ada, bob] = rows.map(({ id }) => id);
  says(await list({ count: "1" }), 200, {
    ...EMPTY,
    data: [
      {
        id: bob,
        email: "bob@example.com",
        first_name: "Bob",
        last_name: "Eze",
        phone_number: null,
        blacklisted: 1,
        verified: 0,
        created_at: AT.toISOString(),
      },
      {
        id: ada,
        email: "ada@example.com",
        first_name: "Ada",
        last_name: "Obi",
        phone_number: "+2348012345678",
        blacklisted: 0,
        verified: 1,
        created_at: AT.toISOString(),
      },
    ],
    meta: { ...EMPTY.meta, total: 2 },
  });
  const first = successOf(await list({ limit: 1 }));
  assert.deepEqual(first.meta, { has_more: true, next_cursor: String(bob) });
  const second = successOf(await list({ limit: 1, cursor: String(bob) }));
  assert.deepEqual(
    second.data.map(({ id }) => id),
    [ada],
  );
});

test("is one customer whatever the case of the e-mail address, shown as first sent", async () => {
  const shop = await api.merchant();
  const client = api.client(shop.test);
  const wallet = async (email: string) => {
    const customer = { email, first_name: "Cass", last_name: "Eze" };
    const body = { network: "bep20" as const, customer };
    return successOf(await client.POST("/wallets/generate-wallet", { body })).data.address;
  };
  const address = await wallet("Case@Example.net");
  assert.equal(await wallet("case@EXAMPLE.net"), address);
  const customer_details = { email: "CASE@example.net", first_name: "Cass", last_name: "Eze" };
  const body = { ...PAYMENT_LINK, customer_details };
  const { refid } = successOf(await client.POST("/payment-links", { body })).data;
  const link = successOf(await client.GET("/payment-links/{refid}", { params: { path: { refid } } }));
  assert.equal(link.data.customer_details.email, "CASE@example.net", "a link shows what was sent with it");
  const { data } = successOf(await list({}, shop.test));
  assert.deepEqual(
    data.map(({ email }) => email),
    ["Case@Example.net"],
  );
});

test("does not list customers of another merchant or environment", async () => {
  const otherMerchant = await api.merchant();
  says(await list({}, otherMerchant.test), 200, EMPTY);
  says(await list({}, merchant.live), 200, EMPTY);
});

test("refuses malformed paging parameters", async () => {
  refused(await list({ limit: 0 }), 400, "limit must be between 1 and 500");
  refused(await list({ cursor: "-1" }), 400, "invalid cursor");
  refused(await api.send({ path: "/customers" }), 401, "invalid api key");
});
