import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { KEY_SCOPES, type KeyScope } from "#lib/domain/authority/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey, rotateKey } from "#lib/domain/merchants/end-key.ts";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi } from "#tests/support/api.ts";
import { refused } from "#tests/support/says.ts";
import { listReads } from "../write-authority.ts";

const clock = { now: new Date("2026-03-01T12:00:00Z") };
const api = await startTestApi({ now: () => clock.now });
const { db } = api.database;
const merchant = await api.merchant();

async function keyOf(
  merchantId: number,
  scope: KeyScope,
  env: "live" | "test" = "test",
  expiresAt: Date | null = null,
) {
  const made = await db.transaction((tx) =>
    createKey(actOf(tx, merchantId, { env, now: clock.now }), { scope, expiresAt }),
  );
  assert.ok(made.ok);
  return { id: made.key.id, text: made.apiKey };
}

/**
 * The scopes that are allowed in addition to `full`. Each but `read` may change its own things.
 */
const ALLOWED: Readonly<Record<string, readonly KeyScope[]>> = {
  "GET /transaction/token-withdrawal": ["read"],
  "GET /transaction/token-deposit": ["read"],
  "GET /transaction/deposit/:tx_hash": ["read"],
  "GET /transaction/status/:tx_hash": ["read"],
  "GET /transaction/refId/:refid": ["read"],
  "POST /transaction/search-blockchain-txhash": ["read"],
  "POST /transaction/requery/:network": [],
  "POST /transaction/network-fee": ["read"],
  "GET /transaction/fee": ["read"],
  "POST /balances": ["read"],
  "POST /history": ["read"],
  "GET /analytics/stats": ["read"],
  "GET /analytics/wallet-stats": ["read"],
  "POST /wallets/generate-wallet": [],
  "POST /wallets/generate-merchant-wallet": [],
  "POST /wallets/get-network": ["read"],
  "POST /wallets/get-all-networks": ["read"],
  "POST /wallets/get-addresses": ["read"],
  "GET /tokens": ["read"],
  "POST /trade/buy": [],
  "GET /customers": ["read"],
  "GET /ip": ["read", "settings"],
  "POST /ip": ["settings"],
  "DELETE /ip/:id": ["settings"],
  "GET /merchant": ["read", "settings"],
  "PATCH /merchant": ["settings"],
  "POST /merchant/logo": ["settings"],
  "DELETE /merchant/logo": ["settings"],
  "GET /members": ["settings"],
  "GET /keys": [],
  "POST /keys": [],
  "DELETE /keys/:id": [],
  "GET /webhook-endpoints": ["webhooks", "read"],
  "POST /webhook-endpoints": ["webhooks"],
  "PATCH /webhook-endpoints/:id": ["webhooks"],
  "DELETE /webhook-endpoints/:id": ["webhooks"],
  "POST /webhook-endpoints/:id/rotate-secret": ["webhooks"],
  "POST /webhook-endpoints/:id/test": ["webhooks"],
  "POST /payment-links": ["payment-links"],
  "GET /payment-links": ["read", "payment-links"],
  "GET /payment-links/:refid": ["read", "payment-links"],
  "POST /payment-links/:refid/quotes": ["payment-links"],
  "POST /payment-links/:refid/cancel": ["payment-links"],
  "POST /payment-links/:refid/refunds": ["withdrawals"],
  "GET /payment-links/:refid/refund-claims": ["withdrawals", "read"],
  "DELETE /payment-links/:refid/refund-claims/:claim": ["withdrawals"],
  "POST /withdrawals": ["withdrawals"],
  "GET /withdrawals/:refid": ["withdrawals", "read"],
  "POST /withdrawals/:refid/cancel": ["withdrawals"],
  "POST /forms": ["payment-links"],
  "GET /forms": ["read", "payment-links"],
  "GET /forms/:form": ["read", "payment-links"],
  "PATCH /forms/:form": ["payment-links"],
  "DELETE /forms/:form": ["payment-links"],
  "POST /webhooks/retrigger": [],
  "GET /webhooks/deliveries": ["read", "webhooks"],
  "GET /deposits/unmatched": ["read"],
  "POST /sandbox/payments": ["payment-links"],
};

const DENIED = {
  status: "fail",
  message: "api key not allowed for this operation",
  code: "key_scope",
  doc_url: "/v1/docs/errors#key_scope",
};
const keys = Object.fromEntries(
  await Promise.all(KEY_SCOPES.map(async (scope) => [scope, (await keyOf(merchant.id, scope)).text])),
) as Record<KeyScope, string>;

const keyed = ENDPOINTS.filter(({ auth }) => auth !== "public");
const ask = ({ method, path }: (typeof keyed)[number], key?: string) =>
  api.send({
    method: method.toUpperCase(),
    path: path.replaceAll(/:[^/]+/g, "x"),
    ...(key !== undefined && { key }),
  });

for (const { path } of ENDPOINTS.filter(({ auth }) => auth === "public")) {
  test(`GET ${path} needs no key`, async () => assert.equal((await api.send({ path })).status, 200));
}

const nameOf = ({ method, path }: Pick<(typeof keyed)[number], "method" | "path">) =>
  `${method.toUpperCase()} ${path}`;

test("every endpoint does a verb, which no key of the scope read may, or only reads as docs/authority.md says", () => {
  const reads = listReads();
  for (const endpoint of keyed) {
    const name = nameOf(endpoint);
    const read = reads.find((one) => one.name === name);
    if (read !== undefined) assert.deepEqual(read.scopes, ["full", ...(ALLOWED[name] ?? [])], name);
    else {
      assert.ok(endpoint.verb, `${name} does no verb`);
      assert.ok(!endpoint.auth.includes("read"), name);
    }
  }
});

for (const endpoint of keyed) {
  const name = nameOf(endpoint);
  test(`${name} allows the scopes of the table and no other`, async () => {
    const allowed = ALLOWED[name];
    assert.ok(allowed, "not in the table");
    for (const scope of KEY_SCOPES) {
      const { status, body } = await ask(endpoint, keys[scope]);
      const isDenied = status === 403 && JSON.stringify(body) === JSON.stringify(DENIED);
      assert.equal(isDenied, scope !== "full" && !allowed.includes(scope), `${scope}: ${status}`);
    }
    refused(await ask(endpoint), 401, "invalid api key");
  });
}

test("every endpoint refuses a live key from an unlisted IP address and sends rate limit headers to an accepted key", async () => {
  const shop = await api.merchant();
  const add = (address: string) =>
    db.transaction((tx) => addIp(actOf(tx, shop.id, { now: clock.now }), { name: "office", address }));
  await add("198.51.100.7");
  for (const endpoint of keyed) {
    const away = await ask(endpoint, shop.live);
    refused(away, 403, "ip address not whitelisted");
    assert.equal(away.headers.get("ratelimit"), null);
    const test = await ask(endpoint, shop.test);
    assert.match(test.headers.get("ratelimit") ?? "", /^"key";r=\d+;t=\d+$/, endpoint.path);
    assert.match(test.headers.get("ratelimit-policy") ?? "", /^"key";q=\d+;w=\d+$/);
  }
  await add("127.0.0.0/8");
  const key = await keyOf(shop.id, "full", "live");
  for (const endpoint of keyed) {
    assert.notEqual((await ask(endpoint, key.text)).status, 403, endpoint.path);
  }
});

test("every endpoint refuses a disabled merchant and a removed merchant, with different texts", async () => {
  const gone = await api.merchant();
  for (const [status, code, message] of [
    ["disabled", 403, "Invalid merchant"],
    ["removed", 404, "Merchant does not exist"],
  ] as const) {
    await db.update(merchants).set({ status }).where(eq(merchants.id, gone.id));
    for (const key of [gone.live, gone.test])
      for (const endpoint of keyed) refused(await ask(endpoint, key), code, message);
  }
});

test("a rotated key works next to the new one until its end, as one with an end does; a revoked key stops working at once", async () => {
  const oldUntil = new Date(clock.now.getTime() + 60_000);
  const ending = await keyOf(merchant.id, "read", "test", oldUntil);
  const old = await keyOf(merchant.id, "read");
  const statusOf = async (key: string) => (await api.send({ path: "/ip", key })).status;
  assert.equal(await statusOf(old.text), 200);
  const rotated = await db.transaction((tx) =>
    rotateKey(actOf(tx, merchant.id, { now: clock.now }), { id: old.id, oldUntil, expiresAt: null }),
  );
  assert.ok(rotated.ok);
  assert.deepEqual([rotated.key.env, rotated.key.scope], ["test", "read"]);
  const statuses = () => Promise.all([ending.text, old.text, rotated.apiKey].map(statusOf));
  assert.deepEqual(await statuses(), [200, 200, 200]);
  const before = clock.now;
  clock.now = oldUntil;
  assert.deepEqual(await statuses(), [401, 401, 200]);
  await db.transaction((tx) =>
    revokeKey(actOf(tx, merchant.id, { now: clock.now }), { id: rotated.key.id, at: null }),
  );
  refused(await api.send({ path: "/ip", key: rotated.apiKey }), 401, "invalid api key");
  clock.now = before;
});
