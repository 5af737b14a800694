import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { createApiKey } from "#lib/domain/merchants/api-keys.ts";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi, type TestRequest } from "#tests/support/api.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused } from "#tests/support/says.ts";

const clock = { now: new Date("2026-03-01T12:00:00Z") };
const api = await startTestApi({ now: () => clock.now, trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
const { db, database } = api.database;
const merchant = await api.merchant();

const LINK = "/payment-links/1111111111111111111111";
const CREATE = { path: "/payment-links", form: paymentLinkForm() };

const unknown: [TestRequest, number, string, string?][] = [
  [{ path: "/" }, 404, "not found"],
  [{ path: "/nothing" }, 404, "not found"],
  [{ path: "/payment-links/a/b" }, 404, "not found"],
  [{ path: "/Payment-Links", method: "POST" }, 404, "not found"],
  [{ path: "/payment-links%2f" }, 404, "not found"],
  [{ path: "//v2/payment-links" }, 404, "not found"],
  [{ path: "//" }, 404, "not found"],
  [{ path: "/webhooks/retrigger" }, 405, "method not allowed", "POST"],
  [{ path: "/payment-links", method: "DELETE" }, 405, "method not allowed", "POST, GET, HEAD"],
  [{ path: "/payment-links", method: "OPTIONS" }, 405, "method not allowed", "POST, GET, HEAD"],
  [{ path: "/openapi.json", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/docs", method: "DELETE" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/docs/nothing.js" }, 404, "not found"],
  // The case of the interface is refId.
  [{ path: "/transaction/refid/1" }, 404, "not found"],
  [{ path: LINK, method: "PUT" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/transaction/deposit", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/transaction/requery" }, 405, "method not allowed", "POST"],
  [{ path: "/payment-links/", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/payment-links/supported-networks", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
];
for (const [request, status, message, allow = null] of unknown) {
  test(`${request.method ?? "GET"} ${request.path} is ${message}, before the key is checked`, async () => {
    const response = await api.send(request);
    refused(response, status, message);
    assert.equal(response.headers.get("allow"), allow);
  });
}

test("each path refuses every method that it does not have", async () => {
  for (const [path, endpoints] of Map.groupBy(ENDPOINTS, (one) => one.path)) {
    const methods = endpoints.flatMap(({ method }) =>
      method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()],
    );
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (methods.includes(method)) continue;
      const { status, headers } = await api.send({ method, path: path.replaceAll(/:[a-z_]+/g, "1") });
      assert.deepEqual([status, headers.get("allow")], [405, methods.join(", ")], `${method} ${path}`);
    }
  }
});

test("/v1 leads to the API reference", async () => {
  const { status, headers } = await api.send({ path: "" });
  assert.deepEqual([status, headers.get("location")], [302, "/v1/docs"]);
});

test("every response is JSON that must not be cached, with a request id that is in the log", async () => {
  const response = await api.send({ path: "/nothing" });
  assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(response.headers.get("cache-control"), "no-store");
  const id = response.headers.get("x-request-id");
  const line = api.logLines.find((entry) => entry.requestId === id);
  assert.ok(line);
  const { method, path, status } = line;
  assert.deepEqual({ method, path, status }, { method: "GET", path: "/v1/nothing", status: 404 });
});

test("HEAD responds like GET without a body", async () => {
  const response = await api.send({ path: "/payment-links/supported-networks", method: "HEAD" });
  assert.deepEqual([response.status, response.text], [200, ""]);
});

test("requires exactly one key, of the right environment, and hints at what is wrong", async () => {
  const absent = "Send a key in x-api-key or in x-staging-api-key.";
  const malformed = "The key is incomplete or mistyped.";
  const both = "Send x-api-key or x-staging-api-key, not both.";
  const wrong: [headers: Record<string, string>, hint: string][] = [
    [{}, absent],
    [{ "x-api-key": "" }, malformed],
    [{ "x-api-key": "rubbish" }, malformed],
    [{ "x-api-key": `pl_live_${"a".repeat(38)}` }, malformed],
    [{ "x-api-key": createApiKey("live").text }, "The key is unknown, revoked or expired."],
    [{ "x-api-key": merchant.test }, "This is a key of the test environment. Send it in x-staging-api-key."],
    [{ "x-staging-api-key": merchant.live }, "This is a key of the live environment. Send it in x-api-key."],
    [{ "x-api-key": merchant.live, "x-staging-api-key": merchant.test }, both],
    [{ "x-api-key": merchant.live, "x-staging-api-key": "" }, both],
    [{ authorization: `Bearer ${merchant.live}` }, absent],
  ];
  for (const [headers, hint] of wrong) {
    const response = await api.send({ ...CREATE, headers });
    refused(response, 401, "invalid api key");
    assert.equal(response.headers.get("x-paylink-hint"), hint);
  }
  for (const key of [merchant.live, merchant.test]) {
    const response = await api.send({ ...CREATE, key });
    assert.deepEqual([response.status, response.headers.get("x-paylink-hint")], [200, null]);
  }
});

test("with listed IPs a live key works from those only, a test key from every address", async () => {
  const listed = await api.merchant();
  await db.transaction((tx) =>
    addIp(actOf(tx, listed.id, { now: clock.now }), { name: "office", address: "198.51.100.0/24" }),
  );
  const from = (key: string, forwarded: string, at = api) =>
    at.send({ ...CREATE, key, headers: { "x-forwarded-for": forwarded } });
  const denied = "ip address not whitelisted";
  refused(await api.send({ ...CREATE, key: listed.live }), 403, denied);
  refused(await from(listed.live, "203.0.113.9"), 403, denied);
  refused(await from(listed.live, "198.51.100.7, 203.0.113.9"), 403, denied);
  assert.equal((await from(listed.live, "203.0.113.9, 198.51.100.7, 10.1.1.1")).status, 200);
  assert.equal((await api.send({ ...CREATE, key: listed.test })).status, 200);
  // Here the sender is no trusted proxy.
  const direct = await startTestApi({ database });
  refused(await from(listed.live, "198.51.100.7", direct), 403, denied);
});

test("refuses a key above its rate limit with the time to wait, and no other key", async (t) => {
  const slow = await startTestApi({ database, rateLimit: { perSecond: 0.5, burst: 2 } });
  // In a second that a busy machine loses, the key would earn half a request.
  t.mock.method(performance, "now", () => 0);
  const read = (key: string) => slow.send({ path: LINK, key });
  assert.equal((await read(merchant.test)).headers.get("ratelimit"), '"key";r=1;t=1');
  await read(merchant.test);
  const response = await read(merchant.test);
  refused(response, 429, "too many requests");
  assert.equal(response.headers.get("retry-after"), "2");
  assert.equal(response.headers.get("ratelimit"), '"key";r=0;t=2');
  assert.equal(response.headers.get("ratelimit-policy"), '"key";q=2;w=4');
  assert.equal((await read(merchant.live)).status, 404);
});

test("a large list counts as several requests, a small one as one", async () => {
  const slow = await startTestApi({ database, rateLimit: { perSecond: 0.01, burst: 2 } });
  const shop = await slow.merchant();
  const common = { merchantId: shop.id, env: "test", firstName: "Ada", lastName: "x".repeat(200) } as const;
  const rows = Array.from({ length: 400 }, (_, n) => ({ ...common, email: `ada${n}@example.com` }));
  await db.insert(customers).values(rows);
  const list = (query: string) => slow.send({ path: `/customers${query}`, key: shop.test });
  assert.equal((await list("?limit=1")).headers.get("ratelimit"), '"key";r=1;t=1');
  const large = await list("");
  assert.equal(large.status, 200);
  assert.ok(large.text.length > 3 * 32 * 1024, `${large.text.length}`);
  const next = await list("?limit=1");
  refused(next, 429, "too many requests");
  // Two tokens more than it had, and one for the next request: 100 seconds each.
  assert.ok(Number(next.headers.get("retry-after")) > 200, `${next.headers.get("retry-after")}`);
});

test("a list that counts all its rows counts as the largest, a refused one as one request", async (t) => {
  const slow = await startTestApi({ database, rateLimit: { perSecond: 1, burst: 70 } });
  t.mock.method(performance, "now", () => 0);
  const { test: key } = await slow.merchant();
  const left = async (path: string) => (await slow.send({ path, key })).headers.get("ratelimit");
  assert.equal(await left("/customers?limit=1&count=0"), '"key";r=69;t=1');
  assert.equal(await left("/customers?limit=1&count=1"), '"key";r=37;t=1');
  assert.equal(await left("/customers?limit=1&count=1&cursor=x"), '"key";r=36;t=1');
  assert.equal(await left(`${LINK}?count=1`), '"key";r=35;t=1');
  assert.equal(await left("/customers?limit=1&count=1"), '"key";r=3;t=1');
});

/** The response of the server to bytes that need not be HTTP. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, "127.0.0.1", () => socket.end(bytes));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("end", () => resolve(text));
    socket.on("error", reject);
  });
}

test("responds with the envelope to a request that is not valid HTTP", async () => {
  const requests = [
    "rubbish\r\n\r\n",
    "GET /v1/x HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
    "GET /v1\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    `GET /v1/x HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
  ];
  for (const request of requests) {
    const text = await raw(request);
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/, request.slice(0, 40));
    const body =
      '{"status":"fail","message":"bad request","code":"bad_request","doc_url":"/v1/docs/errors#bad_request"}';
    assert.ok(text.endsWith(`\r\n${body}`), text);
  }
});

test("responds to an internal error with one text and writes its cause to the log only", async () => {
  const find = () => {
    throw new Error("the cause");
  };
  const failing = await startTestApi({ database, networks: { find, list: () => [], all: () => [] } });
  const response = await failing.send({ path: "/payment-links/supported-networks" });
  refused(response, 500, "internal error");
  const line = failing.logLines.find((entry) => entry.err !== undefined);
  assert.match(JSON.stringify(line), /the cause/);
  assert.equal(line?.requestId, response.headers.get("x-request-id"));
});

test("keys are not in the log", () => {
  assert.ok(api.logLines.length > 20);
  assert.doesNotMatch(JSON.stringify(api.logLines), /pl_(?:live|test)_/);
});
