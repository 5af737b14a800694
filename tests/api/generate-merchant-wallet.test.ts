import assert from "node:assert/strict";
import { after, test } from "node:test";
import { and, eq } from "drizzle-orm";
import { addresses, merchants, networkSettings } from "#lib/db/schema.ts";
import { startApi, type TestAnswer, type TestRequest } from "#tests/support/api.ts";
import { anUnmatchedDeposit } from "#tests/support/unmatched.ts";

const PATH = "/wallets/generate-merchant-wallet";
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
function addressIn(answer: TestAnswer): string {
  const { address } = (answer.body as { data: { address: string } }).data;
  says(answer, 200, { status: "success", message: "wallet generated successfully", data: { address } });
  return address;
}

test("the merchant gets an address of its own, the same until something came to it", async () => {
  const first = addressIn(await ask({ network: "bep20" }));
  assert.equal(adapter.displayAddress(first.toLowerCase()), first);
  const [row] = await db.select().from(addresses).where(eq(addresses.address, first.toLowerCase()));
  assert.deepEqual(
    [row!.env, row!.network, row!.purpose, row!.merchantId, row!.customerId],
    ["test", "bep20", "merchant", merchant.id, null],
  );
  const form = { network: "bep20" };
  assert.equal(addressIn(await api.send({ path: PATH, form, headers: key })), first);
  await anUnmatchedDeposit(db, { addressId: row!.id });
  const second = addressIn(await ask({ network: "bep20" }));
  assert.notEqual(second, first);
  assert.equal(addressIn(await ask({ network: "bep20" })), second);
  assert.notEqual(addressIn(await ask({ network: "bep20", fresh: 1 })), second);
});

test("fifty first calls at once make one address; the other environment and merchant have their own", async () => {
  const shop = await api.merchant();
  const headers = { "x-staging-api-key": shop.test };
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ network: "bep20" }, { headers })));
  const given = new Set(answers.map(addressIn));
  assert.equal(given.size, 1);
  given.add(addressIn(await ask({ network: "bep20" }, { headers: { "x-api-key": shop.live } })));
  given.add(addressIn(await ask({ network: "bep20" })));
  assert.equal(given.size, 3);
  assert.equal((await db.select().from(addresses).where(eq(addresses.merchantId, shop.id))).length, 2);
});

test("one Idempotency-Key makes one address", async () => {
  const headers = { ...key, "idempotency-key": "own-1" };
  const answers = [
    await ask({ network: "bep20", fresh: 1 }, { headers }),
    await ask({ network: "bep20", fresh: 1 }, { headers }),
  ];
  assert.equal(new Set(answers.map(addressIn)).size, 1);
});

const refusals: [what: string, body: unknown, status: number, message: string][] = [
  ["no network", {}, 400, "(network) not found in request body"],
  ["a network that is a list", { network: ["bep20"] }, 400, "(network) must be a string"],
  ["an unknown network", { network: "ethereum" }, 400, "unsupported network"],
  ["a fresh that is no flag", { network: "bep20", fresh: 2 }, 400, "(fresh) must be 0 or 1"],
  ["a network without a node", { network: "trc20" }, 422, "wallet generation not enabled for network"],
  ["a network without an adapter", { network: "xrp" }, 422, "wallet generation not enabled for network"],
];
for (const [what, body, status, message] of refusals) {
  test(`${what}: ${message}`, async () => fails(await ask(body), status, message));
}

test("a network whose addresses the operator switched off gives none, even one there is", async () => {
  const here = and(eq(networkSettings.env, "test"), eq(networkSettings.network, "bep20"));
  await db.update(networkSettings).set({ generate: false }).where(here);
  fails(await ask({ network: "bep20" }), 422, "wallet generation not enabled for network");
  await db.update(networkSettings).set({ generate: true }).where(here);
  addressIn(await ask({ network: "bep20" }));
});

test("an account key that gives no address: wallet generation failed", async () => {
  const live = api.services.networks.get("live", "bep20")!;
  const crossed = { ...adapter, accountKey: live.accountKey };
  const get = (env: string) => (env === "live" ? live : crossed);
  const wrong = await startApi({ networks: { ...api.services.networks, get } });
  try {
    const shop = await wrong.merchant();
    const json = { network: "bep20" };
    addressIn(await wrong.send({ path: PATH, json, headers: { "x-api-key": shop.live } }));
    const answer = await wrong.send({ path: PATH, json, headers: { "x-staging-api-key": shop.test } });
    fails(answer, 502, "wallet generation failed");
  } finally {
    await wrong.close();
  }
});

test("a disabled merchant and one that was removed are told so", async () => {
  const gone = await api.merchant();
  const headers = { "x-staging-api-key": gone.test };
  for (const [status, code, message] of [
    ["disabled", 403, "Invalid merchant"],
    ["removed", 404, "Merchant does not exist"],
  ] as const) {
    await db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
    fails(await ask({ network: "bep20" }, { headers }), code, message);
  }
});
