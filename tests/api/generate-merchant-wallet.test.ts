import assert from "node:assert/strict";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const PATH = "/wallets/generate-merchant-wallet";
const api = await startApi();
after(() => api.close());
const { db } = api.database;
const adapter = api.services.networks.find("test", "bep20")!;
const merchant = await api.merchant();
const headers = { "x-staging-api-key": merchant.test };

/** Generates on BEP20, with the test key of the merchant by default. */
const ask = ({ key = merchant.test, fresh = false, once = "", at = api } = {}) =>
  at.client(key).POST("/wallets/generate-merchant-wallet", {
    ...(once && { params: { header: { "idempotency-key": once } } }),
    body: { network: "bep20", ...(fresh && { fresh: 1 }) },
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

test("returns the same address of the merchant until it has received something", async () => {
  const first = addressIn(await ask());
  assert.equal(adapter.displayAddress(first.toLowerCase()), first);
  const [row] = await db.select().from(addresses).where(eq(addresses.address, first.toLowerCase()));
  assert.deepEqual(
    [row!.env, row!.network, row!.purpose, row!.merchantId, row!.customerId],
    ["test", "bep20", "merchant", merchant.id, null],
  );
  const form = { network: "bep20" };
  says(await api.send({ path: PATH, form, headers }), 200, generated(first));
  await anUnmatchedDeposit(db, { addressId: row!.id });
  const second = addressIn(await ask());
  assert.notEqual(second, first);
  assert.equal(addressIn(await ask()), second);
  assert.notEqual(addressIn(await ask({ fresh: true })), second);
});

test("fifty concurrent first calls allocate one address; other environments and merchants have their own", async () => {
  const shop = await api.merchant();
  const responses = await Promise.all(Array.from({ length: 50 }, () => ask({ key: shop.test })));
  const given = new Set(responses.map(addressIn));
  assert.equal(given.size, 1);
  given.add(addressIn(await ask({ key: shop.live })));
  given.add(addressIn(await ask()));
  assert.equal(given.size, 3);
  assert.equal((await db.select().from(addresses).where(eq(addresses.merchantId, shop.id))).length, 2);
});

test("one idempotency key allocates one address", async () => {
  const responses = [await ask({ fresh: true, once: "own-1" }), await ask({ fresh: true, once: "own-1" })];
  assert.equal(new Set(responses.map(addressIn)).size, 1);
});

const refusals: [what: string, body: unknown, message: string][] = [
  ["no network", {}, "(network) not found in request body"],
  ["a network that is a list", { network: ["bep20"] }, "(network) must be a string"],
  ["an unknown network", { network: "ethereum" }, "unsupported network"],
  ["a fresh that is not a flag", { network: "bep20", fresh: 2 }, "(fresh) must be 0 or 1"],
];
for (const [what, json, message] of refusals) {
  test(`${what}: ${message}`, async () =>
    refused(await api.send({ path: PATH, json, headers }), 400, message));
}

for (const [what, network] of [
  ["a node", "trc20"],
  ["an adapter", "xrp"],
] as const) {
  test(`allocates no address on a network without ${what}`, async () => {
    const response = await api
      .client(merchant.test)
      .POST("/wallets/generate-merchant-wallet", { body: { network } });
    refused(response, 422, "wallet generation not enabled for network");
  });
}

test("returns no address, not even an existing one, while the operator has disabled generation", async () => {
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  await db.update(networkSettings).set({ generate: false }).where(here);
  refused(await ask(), 422, "wallet generation not enabled for network");
  await db.update(networkSettings).set({ generate: true }).where(here);
  addressIn(await ask());
});

test("reports a failed generation if the account key cannot derive addresses", async () => {
  const live = api.services.networks.find("live", "bep20")!;
  const crossed = { ...adapter, accountKey: live.accountKey };
  const get = (env: string) => (env === "live" ? live : crossed);
  const wrong = await startApi({ networks: { ...api.services.networks, find: get } });
  try {
    const shop = await wrong.merchant();
    addressIn(await ask({ at: wrong, key: shop.live }));
    refused(await ask({ at: wrong, key: shop.test }), 502, "wallet generation failed");
  } finally {
    await wrong.close();
  }
});

test("refuses a disabled and a removed merchant with the documented texts", async () => {
  const gone = await api.merchant();
  for (const [status, code, message] of [
    ["disabled", 403, "Invalid merchant"],
    ["removed", 404, "Merchant does not exist"],
  ] as const) {
    await db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
    refused(await ask({ key: gone.test }), code, message);
  }
});
