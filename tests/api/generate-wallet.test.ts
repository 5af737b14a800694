import assert from "node:assert/strict";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import type { RequestBody, RequestQuery } from "#lib/client/client.ts";
import { customers, merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { aForeignDeposit, anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const PATH = "/wallets/generate-wallet";
const ADA = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const headers = { "x-staging-api-key": merchant.test };

type Body = Partial<RequestBody<"/wallets/generate-wallet">>;
interface How {
  readonly key?: string;
  readonly query?: RequestQuery<"/wallets/generate-wallet", "post">;
  readonly once?: string;
  readonly at?: typeof api;
}
/** Generates for Ada on BEP20, with the test key of the merchant by default. */
const ask = (changes: Body = {}, { key = merchant.test, query = {}, once = "", at = api }: How = {}) =>
  at.client(key).POST("/wallets/generate-wallet", {
    params: { query, ...(once && { header: { "idempotency-key": once } }) },
    body: { network: "bep20", customer: ADA, ...changes },
  });
const generated = (address: string) => ({
  status: "success",
  message: "wallet generated successfully",
  data: { address },
});
/** Returns the address. Asserts the rest of the body. */
function addressIn(response: Awaited<ReturnType<typeof ask>>): string {
  const { address } = successOf(response).data;
  says(response, 200, generated(address));
  return address;
}
const rowOf = async (address: string) => {
  const [row] = await db.select().from(addresses).where(eq(addresses.address, address.toLowerCase()));
  return row!;
};

test("allocates an address to a customer and returns it in display form", async () => {
  const address = addressIn(await ask());
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

test("object or JSON text, form or JSON give the same customer and the same unused address", async () => {
  const first = addressIn(await ask());
  const json = { network: "bep20", customer: JSON.stringify(ADA) };
  says(await api.send({ path: PATH, json, headers }), 200, generated(first));
  const form = { network: "bep20", customer: JSON.stringify({ ...ADA, last_name: "Eze" }) };
  says(await api.send({ path: PATH, form, headers }), 200, generated(first));
  const rows = await db.select().from(customers).where(eq(customers.email, ADA.email));
  assert.deepEqual(
    rows.map(({ lastName }) => lastName),
    ["Eze"],
  );
});

test("returns a new address after a transfer, credited or not, and later the newest unused one", async () => {
  const customer = { ...ADA, email: "used@example.com" };
  const first = addressIn(await ask({ customer }));
  await anUnmatchedDeposit(db, { addressId: (await rowOf(first)).id, status: 0 });
  const second = addressIn(await ask({ customer }));
  assert.notEqual(second, first);
  await aForeignDeposit(db, { addressId: (await rowOf(second)).id });
  const third = addressIn(await ask({ customer }));
  assert.equal([first, second].includes(third), false);
  assert.equal(addressIn(await ask({ customer })), third);
});

test("allocates a new address with fresh=1, in the body or in the query, and not with fresh=0", async () => {
  const customer = { ...ADA, email: "fresh@example.com" };
  const given = [
    await ask({ customer }),
    await ask({ customer, fresh: 1 }),
    await ask({ customer }, { query: { fresh: 1 } }),
  ].map(addressIn);
  const asText = await api.send({ path: PATH, json: { network: "bep20", customer, fresh: "1" }, headers });
  const { data } = asText.body as { data: { address: string } };
  assert.equal(new Set([...given, data.address]).size, 4);
  assert.equal(addressIn(await ask({ customer, fresh: 0 })), data.address);
  assert.equal(addressIn(await ask({ customer }, { query: { fresh: 0 } })), data.address);
  assert.equal(addressIn(await ask({ customer, fresh: 0 }, { query: { fresh: 1 } })), data.address);
});

test("another customer, merchant or environment gets another address", async () => {
  const otherMerchant = await api.merchant();
  const given = [
    await ask(),
    await ask({ customer: { ...ADA, email: "bob@example.com" } }),
    await ask({}, { key: otherMerchant.test }),
    await ask({}, { key: merchant.live }),
  ].map(addressIn);
  assert.equal(new Set(given).size, 4);
});

test("fifty concurrent first calls get the same address", async () => {
  const customer = { ...ADA, email: "many@example.com" };
  const responses = await Promise.all(Array.from({ length: 50 }, () => ask({ customer })));
  assert.equal(new Set(responses.map(addressIn)).size, 1);
  const [row] = await db.select().from(customers).where(eq(customers.email, customer.email));
  assert.equal((await db.select().from(addresses).where(eq(addresses.customerId, row!.id))).length, 1);
});

test("one idempotency key allocates one address, even with fresh=1", async () => {
  const customer = { ...ADA, email: "once@example.com" };
  const once = "wallet-1";
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => ask({ customer, fresh: 1 }, { once })),
  );
  assert.equal(new Set(responses.map(addressIn)).size, 1);
  for (const other of [
    await ask({ fresh: 1 }, { once }),
    await ask({ customer, fresh: 1 }, { once, query: { fresh: 1 } }),
  ]) {
    refused(other, 409, "idempotency key already used with a different request");
  }
});

const without = (name: string) => Object.fromEntries(Object.entries(ADA).filter(([field]) => field !== name));
const untyped: [what: string, body: unknown, message: string][] = [
  ["no network", { customer: ADA }, "(network) not found in request body"],
  ["an empty network", { network: "", customer: ADA }, "(network) not found in request body"],
  ["no customer", { network: "bep20" }, "(customer) not found in request body"],
  ["neither", {}, "(network) not found in request body"],
  ["an unknown network and no customer", { network: "x" }, "(customer) not found in request body"],
  ["a network that is a number", { network: 5, customer: ADA }, "(network) must be a string"],
  ["an unknown network", { network: "ethereum", customer: ADA }, "unsupported network"],
  ["a network in capitals", { network: "BEP20", customer: ADA }, "unsupported network"],
  ["an unknown network and a bad customer", { network: "x", customer: {} }, "unsupported network"],
  [
    "a customer that is a list",
    { network: "bep20", customer: [ADA] },
    "(email) not found in request body for customer",
  ],
  ...["email", "first_name"].map((name): [string, unknown, string] => [
    `no ${name}`,
    { network: "bep20", customer: without(name) },
    `(${name}) not found in request body for customer`,
  ]),
  ["none of them", { network: "bep20", customer: {} }, "(email) not found in request body for customer"],
  [
    "a name that is a number",
    { network: "bep20", customer: { ...ADA, last_name: 7 } },
    "(last_name) not found in request body for customer",
  ],
  [
    "a customer that is text",
    { network: "bep20", customer: "Ada" },
    "(email) not found in request body for customer",
  ],
  [
    "no last name, in JSON text",
    { network: "bep20", customer: JSON.stringify(without("last_name")) },
    "(last_name) not found in request body for customer",
  ],
  ["a fresh that is not a flag", { network: "bep20", customer: ADA, fresh: "yes" }, "(fresh) must be 0 or 1"],
];
const typed: [what: string, changes: Body, message: string, status?: number][] = [
  [
    "a malformed email",
    { customer: { ...ADA, email: "ada" } },
    "(email) not found in request body for customer",
  ],
  [
    "a blank name",
    { customer: { ...ADA, first_name: "  " } },
    "(first_name) not found in request body for customer",
  ],
  [
    "an email too long",
    { customer: { ...ADA, email: `${"a".repeat(300)}@example.com` } },
    "(email) not found in request body for customer",
  ],
  [
    "a name too long",
    { customer: { ...ADA, last_name: "x".repeat(256) } },
    "(last_name) not found in request body for customer",
  ],
  [
    "a name with NUL",
    { customer: { ...ADA, last_name: "x\0" } },
    "(last_name) not found in request body for customer",
  ],
  ["a network without a node", { network: "bitcoin" }, "wallet generation not enabled for network", 422],
  ["a network without an adapter", { network: "solana" }, "wallet generation not enabled for network", 422],
];
for (const [what, send, message, status = 400] of [
  ...untyped.map(
    ([what, json, message]) => [what, () => api.send({ path: PATH, json, headers }), message] as const,
  ),
  ...typed.map(([what, changes, ...rest]) => [what, () => ask(changes), ...rest] as const),
]) {
  test(`${what}: ${message}`, async () => {
    const count = async () => (await db.select().from(customers)).length;
    const before = await count();
    refused(await send(), status, message);
    assert.equal(await count(), before);
  });
}

test("refuses a network as soon as the operator disables it, and allows it as soon as it is enabled", async () => {
  const customer = { ...ADA, email: "off@example.com" };
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  for (const off of [{ status: false }, { generate: false }]) {
    await db.update(networkSettings).set(off).where(here);
    refused(await ask({ customer }), 422, "wallet generation not enabled for network");
    addressIn(await ask({ customer }, { key: merchant.live }));
    await db.update(networkSettings).set({ status: true, generate: true }).where(here);
  }
  addressIn(await ask({ customer }));
});

test("reports and logs a failed generation and writes nothing if the account key cannot derive addresses", async () => {
  // The test environment has the account key of live. Only a configuration that is changed by hand can cause
  // this.
  const live = api.services.networks.find("live", "bep20")!;
  const crossed = { ...adapter, accountKey: live.accountKey };
  const get = (env: string) => (env === "live" ? live : crossed);
  const wrong = await startApi({ networks: { ...api.services.networks, find: get } });
  try {
    const shop = await wrong.merchant();
    addressIn(await ask({}, { at: wrong, key: shop.live }));
    for (const once of ["", "a"]) {
      refused(await ask({}, { at: wrong, key: shop.test, once }), 502, "wallet generation failed");
    }
    const rows = await wrong.database.db.select().from(customers);
    assert.deepEqual(
      rows.map(({ env }) => env),
      ["live"],
    );
    const line = wrong.logLines.find(({ msg }) => msg === "wallet generation failed");
    assert.match(JSON.stringify(line), /was used in live/);
  } finally {
    await wrong.close();
  }
});

test("refuses a missing key, a wrong scope, and disabled and removed merchants with the common texts", async () => {
  const json = { network: "bep20", customer: ADA };
  refused(await api.send({ path: PATH, json }), 401, "invalid api key");
  const gone = await api.merchant();
  const become = (status: "disabled" | "removed") =>
    db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
  await become("disabled");
  refused(await ask({}, { key: gone.test }), 403, "Invalid merchant");
  await become("removed");
  refused(await ask({}, { key: gone.test }), 404, "Merchant does not exist");
});
