/** Greenfield keys: how a request shows one, what it opens, and how every refusal looks. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { createGreenfieldListener } from "#lib/web/greenfield/app.ts";
import { PUBLIC_URL, startTestGreenfield } from "#tests/support/greenfield.ts";

const greenfield = await startTestGreenfield();
const { api, send } = greenfield;
const merchant = await api.merchant("Shop");
const rival = await greenfield.store();

const PLUGIN = [
  "btcpay.store.canviewinvoices",
  "btcpay.store.cancreateinvoice",
  "btcpay.store.canviewstoresettings",
  "btcpay.store.canmodifyinvoices",
] as const;

test("a key says exactly its permissions, each with the store", async () => {
  const key = await greenfield.key(merchant, { permissions: PLUGIN });
  const { status, body } = await send({ path: "/api/v1/api-keys/current", key });
  assert.equal(status, 200);
  const [first = ""] = body.permissions;
  const store = first.split(":")[1] ?? "";
  assert.match(store, /^[0-9a-f]{32}test$/);
  assert.deepEqual(body, {
    apiKey: key,
    label: "Shop",
    permissions: PLUGIN.map((permission) => `${permission}:${store}`),
  });
  const live = await greenfield.key(merchant, { env: "live", permissions: PLUGIN });
  const other = await send({ path: "/api/v1/api-keys/current", key: live });
  assert.equal(other.body.permissions[0], `${PLUGIN[0]}:${store.slice(0, -4)}`);
});

test("the server says a version that plugins accept", async () => {
  const key = await greenfield.key(merchant);
  for (const path of ["/api/v1/server/info", "/api/v1/server/info/"]) {
    const { status, headers, body } = await send({ path, key });
    assert.equal(status, 200, path);
    assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(body.version, "2.4.1");
    assert.equal(body.fullySynched, true);
  }
});

test("a store is that of the key, in its environment", async () => {
  const key = await greenfield.key(merchant);
  const { body: stores } = await send({ path: "/api/v1/stores", key });
  assert.equal(stores.length, 1);
  const [store] = stores;
  assert.equal(store.name, "Shop");
  assert.equal(store.defaultCurrency, "USD");
  assert.deepEqual((await send({ path: `/api/v1/stores/${store.id}`, key })).body, store);
  for (const other of [rival.id, store.id.slice(0, -4), "nowhere"]) {
    const { status, body } = await send({ path: `/api/v1/stores/${other}`, key });
    assert.equal(status, 404, other);
    assert.deepEqual(body, { code: "store-not-found", message: "The store was not found." });
  }
});

test("the payment methods are those of the merchant, with whether they are on", async () => {
  const { send: ask } = rival;
  const { body } = await ask("GET", "/payment-methods");
  assert.deepEqual(
    body.map(({ paymentMethodId, enabled }: Record<string, unknown>) => [paymentMethodId, enabled]),
    [
      ["BTC-CHAIN", false],
      ["USDT-TRC20", false],
      ["USDT-BEP20", true],
    ],
  );
  const enabled = await ask("GET", "/payment-methods?onlyEnabled=true");
  assert.deepEqual(enabled.body, [body[2]]);
  for (const [given, id] of [
    ["BTC", "BTC-CHAIN"],
    ["btc_chain", "BTC-CHAIN"],
    ["usdt_bep20", "USDT-BEP20"],
  ])
    assert.equal((await ask("GET", `/payment-methods/${given}`)).body.paymentMethodId, id);
  assert.equal((await ask("GET", "/payment-methods/XMR-CHAIN")).status, 404);
  for (const old of ["LightningNetwork/BTC", "OnChain/BTC"]) {
    const { status, body: gone } = await ask("GET", `/payment-methods/${old}`);
    assert.deepEqual([status, gone.code], [410, "unsupported-in-v2"]);
  }
});

/** PrestaShop 6.1.3 offers no payment in the checkout unless both lists of version 1 are answered. BTCPay's document no longer has them. */
test("the methods that can be paid with are listed as version 1 did, for PrestaShop's checkout", async () => {
  const listOf = async (kind: string) => {
    const path = `/api/v1/stores/${rival.id}/payment-methods/${kind}`;
    const answer = await fetch(greenfield.origin + path, {
      headers: { authorization: `token ${rival.key}` },
    });
    return [answer.status, await answer.json()];
  };
  assert.deepEqual(await listOf("OnChain"), [200, [{ enabled: true, cryptoCode: "USDT-BEP20" }]]);
  assert.deepEqual(await listOf("LightningNetwork"), [200, []]);
});

test("without a valid key of this protocol, a request is unauthenticated", async () => {
  const key = await greenfield.key(merchant);
  const mistyped = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  for (const bad of [undefined, "nothing", mistyped, merchant.test, merchant.live]) {
    const { status, body } = await send({ path: "/api/v1/stores", ...(bad !== undefined && { key: bad }) });
    assert.equal(status, 401, bad);
    assert.equal(body.code, "unauthenticated");
  }
  const basic = await fetch(`${greenfield.origin}/api/v1/stores`, {
    headers: { authorization: `Basic ${key}` },
  });
  assert.equal(basic.status, 401);
});

test("a key without the permission is refused, and the answer names it", async () => {
  const key = await greenfield.key(merchant, { permissions: ["btcpay.store.canviewinvoices"] });
  const { status, body } = await send({ path: "/api/v1/stores", key });
  assert.equal(status, 403);
  assert.deepEqual(
    [body.code, body.missingPermission],
    ["missing-permission", "btcpay.store.canviewstoresettings"],
  );
  const wider = await greenfield.key(merchant, { permissions: ["btcpay.store.canmodifystoresettings"] });
  assert.equal((await send({ path: "/api/v1/stores", key: wider })).status, 200);
});

test("a Greenfield key opens nothing of /v1", async () => {
  const key = await greenfield.key(merchant);
  for (const path of ["/payment-links", "/keys", "/customers", "/webhooks/deliveries"])
    assert.equal((await api.send({ path, key })).status, 403, path);
  const made = await api.send({ path: "/payment-links", key, json: {} });
  assert.equal(made.status, 403);
});

test("a path or method that is not served says so", async () => {
  const key = await greenfield.key(merchant);
  assert.equal((await send({ path: "/api/v1/nothing", key })).body.code, "not-found");
  const { status, headers } = await send({ method: "DELETE", path: "/api/v1/server/info", key });
  assert.deepEqual([status, headers.get("allow")], [405, "GET"]);
});

test("a disabled merchant's keys open nothing", async () => {
  const gone = await greenfield.store();
  await api.database.database.pool.query("update merchants set status = 'disabled' where id = $1", [
    gone.merchant.id,
  ]);
  assert.equal((await gone.send("GET", "")).body.code, "store-disabled");
});

test("while the database is away, a call says when to repeat it", async (t) => {
  const key = await greenfield.key(merchant);
  const away = openDatabase("postgres://nobody:nothing@127.0.0.1:9/none");
  const services = { ...api.services, database: away, publicUrl: PUBLIC_URL, consoleUrl: null };
  const server = createServer(createGreenfieldListener(services)).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await away.close();
  });
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/stores`, {
    headers: { authorization: `token ${key}` },
  });
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "5"]);
  const { code } = (await answer.json()) as { code: string };
  assert.equal(code, "unavailable");
});
