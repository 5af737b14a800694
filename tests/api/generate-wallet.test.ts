import assert from "node:assert/strict";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { addresses, customers, merchants, networkSettings } from "#lib/db/schema.ts";
import { startApi, type TestAnswer, type TestRequest } from "#tests/support/api.ts";
import { aForeignDeposit, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const PATH = "/wallets/generate-wallet";
const ADA = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.get("test", "bep20")!;
const merchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };

const ask = (json: unknown, more: Partial<TestRequest> = {}) =>
  api.send({ path: PATH, json, headers: key, ...more });
const says = (answer: TestAnswer, status: number, body: unknown) =>
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body });
const fails = (answer: TestAnswer, status: number, message: string) =>
  says(answer, status, { status: "fail", message });
/** The address answered; the rest of the body is checked on the way. */
function addressIn(answer: TestAnswer): string {
  const { address } = (answer.body as { data: { address: string } }).data;
  says(answer, 200, { status: "success", message: "wallet generated successfully", data: { address } });
  return address;
}
const rowOf = async (address: string) => {
  const [row] = await db.select().from(addresses).where(eq(addresses.address, address.toLowerCase()));
  return row!;
};

test("a customer gets an address, which is theirs in the books and shown as people write it", async () => {
  const address = addressIn(await ask({ network: "bep20", customer: ADA }));
  assert.equal(adapter.displayAddress(address.toLowerCase()), address);
  const row = await rowOf(address);
  const [customer] = await db.select().from(customers).where(eq(customers.id, row.customerId!));
  assert.deepEqual(
    [row.env, row.network, row.purpose, row.merchantId],
    ["test", "bep20", "customer", merchant.id],
  );
  assert.deepEqual(
    [customer!.env, customer!.email, customer!.firstName, customer!.lastName, customer!.phone],
    ["test", "ada@example.com", "Ada", "Obi", null],
  );
});

test("object or JSON text, form or JSON: the same customer, the same unused address", async () => {
  const first = addressIn(await ask({ network: "bep20", customer: ADA }));
  assert.equal(addressIn(await ask({ network: "bep20", customer: JSON.stringify(ADA) })), first);
  const form = { network: "bep20", customer: JSON.stringify({ ...ADA, last_name: "Eze" }) };
  assert.equal(addressIn(await api.send({ path: PATH, form, headers: key })), first);
  const rows = await db.select().from(customers).where(eq(customers.email, ADA.email));
  assert.deepEqual(
    rows.map(({ lastName }) => lastName),
    ["Eze"],
  );
});

test("what came to an address, credited or not, makes the next call give a new one; then the newest unused", async () => {
  const customer = { ...ADA, email: "used@example.com" };
  const first = addressIn(await ask({ network: "bep20", customer }));
  await anUnmatchedDeposit(db, { addressId: (await rowOf(first)).id, status: 0 });
  const second = addressIn(await ask({ network: "bep20", customer }));
  assert.notEqual(second, first);
  await aForeignDeposit(db, { addressId: (await rowOf(second)).id });
  const third = addressIn(await ask({ network: "bep20", customer }));
  assert.equal([first, second].includes(third), false);
  assert.equal(addressIn(await ask({ network: "bep20", customer })), third);
});

test("fresh=1 gives a new one each time, in the body or in the query; fresh=0 does not", async () => {
  const customer = { ...ADA, email: "fresh@example.com" };
  const given = [
    await ask({ network: "bep20", customer }),
    await ask({ network: "bep20", customer, fresh: 1 }),
    await ask({ network: "bep20", customer, fresh: "1" }),
    await ask({ network: "bep20", customer }, { path: `${PATH}?fresh=1` }),
  ].map(addressIn);
  assert.equal(new Set(given).size, 4);
  assert.equal(addressIn(await ask({ network: "bep20", customer, fresh: 0 })), given[3]);
  assert.equal(addressIn(await ask({ network: "bep20", customer }, { path: `${PATH}?fresh=0` })), given[3]);
  assert.equal(
    addressIn(await ask({ network: "bep20", customer, fresh: 0 }, { path: `${PATH}?fresh=1` })),
    given[3],
  );
});

test("another customer, merchant or environment has another address", async () => {
  const stranger = await api.merchant();
  const given = [
    await ask({ network: "bep20", customer: ADA }),
    await ask({ network: "bep20", customer: { ...ADA, email: "bob@example.com" } }),
    await ask({ network: "bep20", customer: ADA }, { headers: { "x-staging-api-key": stranger.test } }),
    await ask({ network: "bep20", customer: ADA }, { headers: { "x-api-key": merchant.live } }),
  ].map(addressIn);
  assert.equal(new Set(given).size, 4);
});

test("of fifty first calls at once all get one address", async () => {
  const customer = { ...ADA, email: "many@example.com" };
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ network: "bep20", customer })));
  assert.equal(new Set(answers.map(addressIn)).size, 1);
  const [row] = await db.select().from(customers).where(eq(customers.email, customer.email));
  assert.equal((await db.select().from(addresses).where(eq(addresses.customerId, row!.id))).length, 1);
});

test("one Idempotency-Key makes one address, even a fresh one", async () => {
  const customer = { ...ADA, email: "once@example.com" };
  const headers = { ...key, "idempotency-key": "wallet-1" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask({ network: "bep20", customer, fresh: 1 }, { headers })),
  );
  assert.equal(new Set(answers.map(addressIn)).size, 1);
  fails(
    await ask({ network: "bep20", customer: ADA, fresh: 1 }, { headers }),
    409,
    "idempotency key already used with a different request",
  );
  fails(
    await ask({ network: "bep20", customer, fresh: 1 }, { headers, path: `${PATH}?fresh=1` }),
    409,
    "idempotency key already used with a different request",
  );
});

const without = (name: string) => Object.fromEntries(Object.entries(ADA).filter(([field]) => field !== name));
const refusals: [what: string, body: unknown, status: number, message: string][] = [
  ["no network", { customer: ADA }, 400, "(network) not found in request body"],
  ["an empty network", { network: "", customer: ADA }, 400, "(network) not found in request body"],
  ["no customer", { network: "bep20" }, 400, "(customer) not found in request body"],
  ["neither", {}, 400, "(network) not found in request body"],
  ["an unknown network and no customer", { network: "x" }, 400, "(customer) not found in request body"],
  ["a network that is a number", { network: 5, customer: ADA }, 400, "(network) must be a string"],
  ["an unknown network", { network: "ethereum", customer: ADA }, 400, "unsupported network"],
  ["a network in capitals", { network: "BEP20", customer: ADA }, 400, "unsupported network"],
  ["an unknown network and a bad customer", { network: "x", customer: {} }, 400, "unsupported network"],
  ["a customer that is text", { network: "bep20", customer: "Ada" }, 400, "customer must be a json object"],
  ["a customer that is a list", { network: "bep20", customer: [ADA] }, 400, "customer must be a json object"],
  [
    "no email",
    { network: "bep20", customer: without("email") },
    400,
    "(email) not found in request body for customer",
  ],
  [
    "no first name",
    { network: "bep20", customer: without("first_name") },
    400,
    "(first_name) not found in request body for customer",
  ],
  [
    "no last name, in JSON text",
    { network: "bep20", customer: JSON.stringify(without("last_name")) },
    400,
    "(last_name) not found in request body for customer",
  ],
  ["none of them", { network: "bep20", customer: {} }, 400, "(email) not found in request body for customer"],
  [
    "an email that is none",
    { network: "bep20", customer: { ...ADA, email: "ada" } },
    400,
    "(email) not found in request body for customer",
  ],
  [
    "a blank name",
    { network: "bep20", customer: { ...ADA, first_name: "  " } },
    400,
    "(first_name) not found in request body for customer",
  ],
  [
    "a name that is a number",
    { network: "bep20", customer: { ...ADA, last_name: 7 } },
    400,
    "(last_name) not found in request body for customer",
  ],
  [
    "a name too long",
    { network: "bep20", customer: { ...ADA, last_name: "x".repeat(256) } },
    400,
    "(last_name) is too long",
  ],
  [
    "a name with NUL",
    { network: "bep20", customer: { ...ADA, last_name: "x\0" } },
    400,
    "(last_name) contains an unsupported character",
  ],
  [
    "a fresh that is no flag",
    { network: "bep20", customer: ADA, fresh: "yes" },
    400,
    "(fresh) must be 0 or 1",
  ],
  [
    "a network without a node",
    { network: "bitcoin", customer: ADA },
    422,
    "wallet generation not enabled for network",
  ],
  [
    "a network without an adapter",
    { network: "solana", customer: ADA },
    422,
    "wallet generation not enabled for network",
  ],
];
for (const [what, body, status, message] of refusals) {
  test(`${what}: ${message}`, async () => {
    const count = async () => (await db.select().from(customers)).length;
    const before = await count();
    fails(await ask(body), status, message);
    assert.equal(await count(), before);
  });
}

test("a network that the operator switched off gives none, at once, and again once it is on", async () => {
  const customer = { ...ADA, email: "off@example.com" };
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  for (const off of [{ status: false }, { generate: false }]) {
    await db.update(networkSettings).set(off).where(here);
    fails(await ask({ network: "bep20", customer }), 422, "wallet generation not enabled for network");
    const live = await ask({ network: "bep20", customer }, { headers: { "x-api-key": merchant.live } });
    addressIn(live);
    await db.update(networkSettings).set({ status: true, generate: true }).where(here);
  }
  addressIn(await ask({ network: "bep20", customer }));
});

test("an account key that gives no address: it failed, the log knows why, nothing is written", async () => {
  // The test environment under live's account key, which only a configuration changed by hand can bring about.
  const live = api.services.networks.get("live", "bep20")!;
  const crossed = { ...adapter, accountKey: live.accountKey };
  const get = (env: string) => (env === "live" ? live : crossed);
  const wrong = await startApi({ networks: { ...api.services.networks, get } });
  try {
    const shop = await wrong.merchant();
    const json = { network: "bep20", customer: ADA };
    addressIn(await wrong.send({ path: PATH, json, headers: { "x-api-key": shop.live } }));
    const test = { "x-staging-api-key": shop.test };
    for (const headers of [test, { ...test, "idempotency-key": "a" }]) {
      fails(await wrong.send({ path: PATH, json, headers }), 502, "wallet generation failed");
    }
    const rows = await wrong.database.db.select().from(customers);
    assert.deepEqual(
      rows.map(({ env }) => env),
      ["live"],
    );
    const line = wrong.logged.find(({ msg }) => msg === "a wallet was not generated");
    assert.match(JSON.stringify(line), /was used in live/);
  } finally {
    await wrong.close();
  }
});

test("without a key, with another scope's, or as a disabled or removed merchant: the texts of every endpoint", async () => {
  const body = { network: "bep20", customer: ADA };
  fails(await ask(body, { headers: {} }), 401, "invalid api key");
  const gone = await api.merchant();
  const headers = { "x-staging-api-key": gone.test };
  const become = (status: "disabled" | "removed") =>
    db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
  await become("disabled");
  fails(await ask(body, { headers }), 403, "Invalid merchant");
  await become("removed");
  fails(await ask(body, { headers }), 404, "Merchant does not exist");
});
