import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import { customers } from "#lib/db/schema.ts";
import { startApi, type TestAnswer } from "#tests/support/api.ts";
import { aPaymentLink } from "#tests/support/payment-link.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const merchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
const EMPTY = {
  status: "success",
  message: "customers retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};
const list = (query = "", headers: Record<string, string> = key) =>
  api.send({ path: `/customers${query}`, headers });
const says = (answer: TestAnswer, status: number, body: unknown) =>
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body });

test("nobody yet", async () => says(await list(), 200, EMPTY));

test("everybody a link or a wallet was made for, once, newest first, whole", async () => {
  const details = { email: "ada@example.com", first_name: "Ada", last_name: "Obi", phone: "+2348012345678" };
  const form = aPaymentLink({ customer_details: JSON.stringify(details) });
  for (let i = 0; i < 2; i++) await api.send({ path: "/payment-links", form, headers: key });
  const customer = { email: "bob@example.com", first_name: "Bob", last_name: "Eze" };
  const json = { network: "bep20", customer };
  await api.send({ path: "/wallets/generate-wallet", json, headers: key });
  await db.update(customers).set({ createdAt: AT });
  await db.update(customers).set({ blacklisted: true }).where(eq(customers.email, customer.email));
  await db.update(customers).set({ verified: true }).where(eq(customers.email, details.email));
  const rows = await db.select().from(customers).orderBy(customers.id);
  const [ada, bob] = rows.map(({ id }) => id);
  says(await list("?count=1"), 200, {
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
  const first = await list("?limit=1");
  assert.deepEqual((first.body as { meta: unknown }).meta, { has_more: true, next_cursor: String(bob) });
  const second = await list(`?limit=1&cursor=${bob}`);
  assert.deepEqual(
    (second.body as { data: { id: number }[] }).data.map(({ id }) => id),
    [ada],
  );
});

test("another merchant's, and the other environment's, are not there", async () => {
  const stranger = await api.merchant();
  says(await list("", { "x-staging-api-key": stranger.test }), 200, EMPTY);
  says(await list("", { "x-api-key": merchant.live }), 200, EMPTY);
});

test("what it cannot read it refuses", async () => {
  says(await list("?limit=0"), 400, { status: "fail", message: "limit must be between 1 and 500" });
  says(await list("?cursor=-1"), 400, { status: "fail", message: "invalid cursor" });
  says(await list("", {}), 401, { status: "fail", message: "invalid api key" });
});
