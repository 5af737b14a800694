/** Endpoints 14 and 15: an address for a customer, and one for the merchant itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { and, eq } from "drizzle-orm";
import { customers } from "#lib/domain/merchants/tables.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { RequestBody, RequestQuery } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { refused, succeeded, successOf } from "#tests/support/says.ts";
import { aForeignDeposit, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { crossedNetworks } from "./crossed-networks.ts";

const PATH = "/wallets/generate-wallet";
const OWN_PATH = "/wallets/generate-merchant-wallet";
const ADA = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };
const api = await startTestApi();
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();

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
/** The same for the merchant itself. */
const askOwn = (
  changes: Partial<RequestBody<"/wallets/generate-merchant-wallet">> = {},
  { key = merchant.test, once = "", at = api }: How = {},
) =>
  at.client(key).POST("/wallets/generate-merchant-wallet", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body: { network: "bep20", ...changes },
  });
const generated = (answer: Parameters<typeof succeeded>[0], address: string) =>
  succeeded(answer, "wallet generated successfully", { address });
/** Returns the address. Asserts the rest of the body. */
function addressIn(response: Awaited<ReturnType<typeof ask>>): string {
  const { address } = successOf(response).data;
  generated(response, address);
  return address;
}
const rowOf = async (address: string) => {
  const [row] = await db.select().from(addresses).where(eq(addresses.address, address.toLowerCase()));
  return row!;
};

test("allocates an address to a customer and returns it in display form", async () => {
  const address = addressIn(await ask());
  assert.equal(adapter.addresses.display(address.toLowerCase()), address);
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
  generated(await api.send({ path: PATH, json, key: merchant.test }), first);
  const form = { network: "bep20", customer: JSON.stringify({ ...ADA, last_name: "Eze" }) };
  generated(await api.send({ path: PATH, form, key: merchant.test }), first);
  const rows = await db.select().from(customers).where(eq(customers.email, ADA.email));
  assert.deepEqual(
    rows.map(({ lastName }) => lastName),
    ["Eze"],
  );
});

test("returns a new address after a transfer, credited or not, and later the newest unused one", async () => {
  const customer = { ...ADA, email: "used@example.com" };
  const first = addressIn(await ask({ customer }));
  await anUnmatchedDeposit(db, { addressId: (await rowOf(first)).id, status: "seen" });
  const second = addressIn(await ask({ customer }));
  assert.notEqual(second, first);
  await aForeignDeposit(db, { addressId: (await rowOf(second)).id });
  const third = addressIn(await ask({ customer }));
  assert.equal([first, second].includes(third), false);
  assert.equal(addressIn(await ask({ customer })), third);
});

test("returns the same address of the merchant until it has received something", async () => {
  const first = addressIn(await askOwn());
  assert.equal(adapter.addresses.display(first.toLowerCase()), first);
  const row = await rowOf(first);
  assert.deepEqual(
    [row.env, row.network, row.purpose, row.merchantId, row.customerId],
    ["test", "bep20", "merchant", merchant.id, null],
  );
  generated(await api.send({ path: OWN_PATH, form: { network: "bep20" }, key: merchant.test }), first);
  await anUnmatchedDeposit(db, { addressId: row.id });
  const second = addressIn(await askOwn());
  assert.notEqual(second, first);
  assert.equal(addressIn(await askOwn()), second);
  assert.notEqual(addressIn(await askOwn({ fresh: 1 })), second);
});

test("allocates a new address with fresh=1, in the body or in the query, and not with fresh=0", async () => {
  const customer = { ...ADA, email: "fresh@example.com" };
  const given = [
    await ask({ customer }),
    await ask({ customer, fresh: 1 }),
    await ask({ customer }, { query: { fresh: 1 } }),
  ].map(addressIn);
  const json = { network: "bep20", customer, fresh: "1" };
  const asText = await api.send({ path: PATH, json, key: merchant.test });
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
    await askOwn(),
    await askOwn({}, { key: otherMerchant.test }),
    await askOwn({}, { key: merchant.live }),
  ].map(addressIn);
  assert.equal(new Set(given).size, 7);
});

test("fifty concurrent first calls get the same address", async () => {
  const shop = await api.merchant();
  for (const call of [ask, askOwn]) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => call({}, { key: shop.test })));
    assert.equal(new Set(responses.map(addressIn)).size, 1);
  }
  assert.equal(await db.$count(customers, eq(customers.merchantId, shop.id)), 1);
  assert.equal(await db.$count(addresses, eq(addresses.merchantId, shop.id)), 2);
});

test("one idempotency key allocates one address, even with fresh=1", async () => {
  const once = "wallet-1";
  const responses = await Promise.all(Array.from({ length: 20 }, () => ask({ fresh: 1 }, { once })));
  assert.equal(new Set(responses.map(addressIn)).size, 1);
  const bob = { ...ADA, email: "bob@example.com" };
  for (const other of [
    await ask({ customer: bob, fresh: 1 }, { once }),
    await ask({ fresh: 1 }, { once, query: { fresh: 1 } }),
  ]) {
    refused(other, 409, "idempotency key already used with a different request");
  }
  const own = [await askOwn({ fresh: 1 }, { once: "own-1" }), await askOwn({ fresh: 1 }, { once: "own-1" })];
  assert.equal(new Set(own.map(addressIn)).size, 1);
});

const without = (name: string) => Object.fromEntries(Object.entries(ADA).filter(([field]) => field !== name));
const on = (network: unknown, customer?: unknown, more: object = {}) => ({
  ...{ network, ...more },
  ...(customer !== undefined && { customer }),
});
const missing = (name: string) => `(${name}) not found in request body`;
const missingOf = (name: string) => `(${name}) not found in request body for customer`;
const DISABLED = "wallet generation not enabled for network";
const refusals: [what: string, path: string, json: object, message: string, status?: number][] = [
  ["no network", PATH, { customer: ADA }, missing("network")],
  ["an empty network", PATH, on("", ADA), missing("network")],
  ["no customer", PATH, on("bep20"), missing("customer")],
  ["neither", PATH, {}, missing("network")],
  ["an unknown network and no customer", PATH, on("x"), missing("customer")],
  ["a network that is a number", PATH, on(5, ADA), "(network) must be a string"],
  ["an unknown network", PATH, on("ethereum", ADA), "unsupported network"],
  ["a network in capitals", PATH, on("BEP20", ADA), "unsupported network"],
  ["an unknown network and a bad customer", PATH, on("x", {}), "unsupported network"],
  ["a customer that is a list", PATH, on("bep20", [ADA]), missingOf("email")],
  ["no email", PATH, on("bep20", without("email")), missingOf("email")],
  ["no first name", PATH, on("bep20", without("first_name")), missingOf("first_name")],
  ["none of them", PATH, on("bep20", {}), missingOf("email")],
  ["a name that is a number", PATH, on("bep20", { ...ADA, last_name: 7 }), missingOf("last_name")],
  ["a customer that is text", PATH, on("bep20", "Ada"), missingOf("email")],
  ["no last name, in text", PATH, on("bep20", JSON.stringify(without("last_name"))), missingOf("last_name")],
  ["a malformed email", PATH, on("bep20", { ...ADA, email: "ada" }), missingOf("email")],
  ["a long email", PATH, on("bep20", { ...ADA, email: `${"a".repeat(300)}@b.example` }), missingOf("email")],
  ["a blank name", PATH, on("bep20", { ...ADA, first_name: "  " }), missingOf("first_name")],
  ["a name too long", PATH, on("bep20", { ...ADA, last_name: "x".repeat(256) }), missingOf("last_name")],
  ["a name with NUL", PATH, on("bep20", { ...ADA, last_name: "x\0" }), missingOf("last_name")],
  ["a fresh that is not a flag", PATH, on("bep20", ADA, { fresh: "yes" }), "(fresh) must be 0 or 1"],
  ["a network without a node", PATH, on("bitcoin", ADA), DISABLED, 422],
  ["a network without an adapter", PATH, on("solana", ADA), DISABLED, 422],
  ["no network", OWN_PATH, {}, missing("network")],
  ["a network that is a list", OWN_PATH, on(["bep20"]), "(network) must be a string"],
  ["an unknown network", OWN_PATH, on("ethereum"), "unsupported network"],
  ["a fresh that is not a flag", OWN_PATH, on("bep20", undefined, { fresh: 2 }), "(fresh) must be 0 or 1"],
  ["a network without a node", OWN_PATH, on("trc20"), DISABLED, 422],
  ["a network without an adapter", OWN_PATH, on("xrp"), DISABLED, 422],
];
for (const [what, path, json, message, status = 400] of refusals) {
  test(`${path} refuses ${what}: ${message}`, async () => {
    const before = [await db.$count(customers), await db.$count(addresses)];
    refused(await api.send({ path, json, key: merchant.test }), status, message);
    assert.deepEqual([await db.$count(customers), await db.$count(addresses)], before);
  });
}

test("returns no address, not even an existing one, while the operator has disabled the network", async () => {
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  for (const off of [{ status: false }, { generate: false }]) {
    await db.update(networkSettings).set(off).where(here);
    for (const call of [ask, askOwn]) {
      refused(await call(), 422, DISABLED);
      addressIn(await call({}, { key: merchant.live }));
    }
    await db.update(networkSettings).set({ status: true, generate: true }).where(here);
  }
  for (const call of [ask, askOwn]) addressIn(await call());
});

test("reports and logs a failed generation and writes nothing if the account key cannot derive addresses", async () => {
  const at = await startTestApi({ networks: crossedNetworks(api) });
  const shop = await at.merchant();
  addressIn(await ask({}, { at, key: shop.live }));
  addressIn(await askOwn({}, { at, key: shop.live }));
  const failed = [
    await ask({}, { at, key: shop.test }),
    await ask({}, { at, key: shop.test, once: "a" }),
    await askOwn({}, { at, key: shop.test }),
  ];
  for (const answer of failed) refused(answer, 502, "wallet generation failed");
  const rows = await at.database.db.select().from(customers);
  assert.deepEqual(
    rows.map(({ env }) => env),
    ["live"],
  );
  const line = at.logLines.find(({ msg }) => msg === "wallet generation failed");
  assert.match(JSON.stringify(line), /was used in live/);
});
