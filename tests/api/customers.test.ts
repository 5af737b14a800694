/** The lists of customers and of IP addresses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi } from "#tests/support/api.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { LAST_PAGE, succeeded, successOf } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startTestApi();
const { db } = api.database;
const merchant = await api.merchant();
const paylink = api.client(merchant.test);

const listCustomers = (key = merchant.test, limit = 500) =>
  api.client(key).GET("/customers", { params: { query: { limit } } });

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
  const created_at = AT.toISOString();
  const data = [
    { id: bob, ...customer, phone_number: null, blacklisted: 1, verified: 0, created_at },
    {
      id: ada,
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "Obi",
      phone_number: "+2348012345678",
      blacklisted: 0,
      verified: 1,
      created_at,
    },
  ];
  const message = "customers retrieved successfully";
  succeeded(await listCustomers(), message, data, LAST_PAGE);
  const page = { has_more: true, next_cursor: String(bob) };
  succeeded(await listCustomers(merchant.test, 1), message, data.slice(0, 1), page);
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
  const { data } = successOf(await listCustomers(shop.test));
  assert.deepEqual(
    data.map(({ email }) => email),
    ["Case@Example.net"],
  );
});

async function allow(name: string, address: string): Promise<number> {
  const added = await db.transaction((tx) => addIp(actOf(tx, merchant.id, { now: AT }), { name, address }));
  assert.ok(added.ok);
  return added.id;
}

test("lists every IP entry complete, newest first, in both environments", async () => {
  const office = await allow("office", "198.51.100.0/24");
  const here = await allow("here", "127.0.0.1");
  const common = { merchant: merchant.email, created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const data = [
    { id: here, ip_name: "here", ip_address: "127.0.0.1", ...common },
    { id: office, ip_name: "office", ip_address: "198.51.100.0/24", ...common },
  ];
  for (const key of [merchant.test, merchant.live])
    succeeded(await api.client(key).GET("/ip"), "whitelisted ips retrieved successfully", data, LAST_PAGE);
});
