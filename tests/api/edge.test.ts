import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { eq } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { createApiKey } from "#lib/domain/merchants/api-keys.ts";
import { addIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { createKey } from "#lib/domain/merchants/manage-keys.ts";
import { apiKeys, customers, merchants } from "#lib/domain/merchants/tables.ts";
import type { KeyScope } from "#lib/domain/merchants/types.ts";
import { startApi, type TestRequest, type TestResponse } from "#tests/support/api.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";

const clock = { now: new Date("2026-03-01T12:00:00Z") };
const api = await startApi({ now: () => clock.now, trustedProxies: ["127.0.0.1", "10.0.0.0/8"] });
after(() => api.close());
const merchant = await api.merchant();

const LINK = "/payment-links/1111111111111111111111";
const CREATE = { path: "/payment-links", form: paymentLinkForm() };

const shown = ({ status, body }: TestResponse) => ({ status, body });
const refused = (status: number, message: string) => ({ status, body: { status: "fail", message } });
const withKey = (key: string): Record<string, string> => ({
  [key.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: key,
});

async function key(email: string, env: "live" | "test", scope: KeyScope, expiresAt: Date | null = null) {
  const made = await api.database.db.transaction((tx) =>
    createKey(tx, email, { env, scope, expiresAt }, clock.now),
  );
  if (!made.ok) throw new Error(made.reason);
  return { id: made.key.id, text: made.apiKey };
}

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
  [{ path: LINK, method: "PUT" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/transaction/deposit", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/transaction/requery" }, 405, "method not allowed", "POST"],
  [{ path: "/payment-links/", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
  [{ path: "/payment-links/supported-networks", method: "POST" }, 405, "method not allowed", "GET, HEAD"],
];
for (const [request, status, message, allow = null] of unknown) {
  test(`${request.method ?? "GET"} ${request.path} is ${message}, before the key is checked`, async () => {
    const response = await api.send(request);
    assert.deepEqual(shown(response), refused(status, message));
    assert.equal(response.headers.get("allow"), allow);
  });
}

test("/v1 leads to the API reference", async () => {
  const response = await api.send({ path: "" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
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
    assert.deepEqual(shown(response), refused(401, "invalid api key"));
    assert.equal(response.headers.get("x-paylink-hint"), hint);
  }
  for (const text of [merchant.live, merchant.test]) {
    const response = await api.send({ ...CREATE, headers: withKey(text) });
    assert.deepEqual([response.status, response.headers.get("x-paylink-hint")], [200, null]);
  }
});

test("refuses a revoked or expired key", async () => {
  const expired = await key(merchant.email, "test", "full", new Date(clock.now.getTime() + 1000));
  const revoked = await key(merchant.email, "test", "full");
  const before = clock.now;
  assert.equal((await api.send({ ...CREATE, headers: withKey(expired.text) })).status, 200);
  await api.database.db.update(apiKeys).set({ revokedAt: before }).where(eq(apiKeys.id, revoked.id));
  clock.now = new Date(before.getTime() + 1000);
  for (const { text } of [expired, revoked]) {
    assert.deepEqual(
      shown(await api.send({ ...CREATE, headers: withKey(text) })),
      refused(401, "invalid api key"),
    );
  }
  clock.now = before;
});

test("allows a key only the operations of its scope", async () => {
  const may: [KeyScope, create: boolean, read: boolean][] = [
    ["full", true, true],
    ["payment-links", true, true],
    ["read", false, true],
  ];
  for (const [scope, mayCreate, mayRead] of may) {
    const { text } = await key(merchant.email, "live", scope);
    const created = await api.send({ ...CREATE, headers: withKey(text) });
    const read = await api.send({ path: LINK, headers: withKey(text) });
    const denied = refused(403, "api key not allowed for this operation");
    if (mayCreate) assert.equal(created.status, 200);
    else assert.deepEqual(shown(created), denied);
    assert.deepEqual(shown(read), mayRead ? refused(404, "refid details not found") : denied);
  }
});

test("refuses a disabled merchant and a removed merchant with different texts", async () => {
  const gone = await api.merchant();
  const said = { disabled: [403, "Invalid merchant"], removed: [404, "Merchant does not exist"] } as const;
  for (const [status, [code, message]] of Object.entries(said)) {
    await api.database.db
      .update(merchants)
      .set({ status: status as keyof typeof said })
      .where(eq(merchants.id, gone.id));
    for (const text of [gone.live, gone.test]) {
      assert.deepEqual(shown(await api.send({ ...CREATE, headers: withKey(text) })), refused(code, message));
    }
  }
});

test("with listed IPs a live key works from those only, a test key from every address", async () => {
  const listed = await api.merchant();
  await api.database.db.transaction((tx) =>
    addIpEntry(tx, listed.email, { name: "office", address: "198.51.100.0/24" }, clock.now),
  );
  const from = (text: string, forwarded?: string) =>
    api.send({
      ...CREATE,
      headers: { ...withKey(text), ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }) },
    });
  const denied = refused(403, "ip address not whitelisted");
  assert.deepEqual(shown(await from(listed.live)), denied);
  assert.deepEqual(shown(await from(listed.live, "203.0.113.9")), denied);
  assert.deepEqual(shown(await from(listed.live, "198.51.100.7, 203.0.113.9")), denied);
  assert.equal((await from(listed.live, "203.0.113.9, 198.51.100.7, 10.1.1.1")).status, 200);
  assert.equal((await from(listed.test)).status, 200);
});

test("ignores X-Forwarded-For of an untrusted sender", async () => {
  const direct = await startApi();
  try {
    const listed = await direct.merchant();
    await direct.database.db.transaction((tx) =>
      addIpEntry(tx, listed.email, { name: "office", address: "198.51.100.7" }, new Date()),
    );
    const headers = { "x-api-key": listed.live, "x-forwarded-for": "198.51.100.7" };
    assert.deepEqual(
      shown(await direct.send({ ...CREATE, headers })),
      refused(403, "ip address not whitelisted"),
    );
  } finally {
    await direct.close();
  }
});

test("refuses a key above its rate limit with the time to wait, and no other key", async () => {
  const slow = await startApi({ rateLimit: { perSecond: 0.5, burst: 2 } });
  try {
    const shop = await slow.merchant();
    const read = (text: string) => slow.send({ path: LINK, headers: withKey(text) });
    assert.equal((await read(shop.test)).headers.get("ratelimit"), '"key";r=1;t=1');
    await read(shop.test);
    const response = await read(shop.test);
    assert.deepEqual(shown(response), refused(429, "too many requests"));
    assert.equal(response.headers.get("retry-after"), "2");
    assert.equal(response.headers.get("ratelimit"), '"key";r=0;t=2');
    assert.equal(response.headers.get("ratelimit-policy"), '"key";q=2;w=4');
    assert.equal((await read(shop.live)).status, 404);
  } finally {
    await slow.close();
  }
});

test("a large list counts as several requests, a small one as one", async () => {
  const slow = await startApi({ rateLimit: { perSecond: 0.01, burst: 2 } });
  try {
    const shop = await slow.merchant();
    await slow.database.db.insert(customers).values(
      Array.from({ length: 400 }, (_, n) => ({
        merchantId: shop.id,
        env: "test" as const,
        email: `ada${n}@example.com`,
        firstName: "Ada",
        lastName: "x".repeat(200),
      })),
    );
    const list = (query: string) => slow.send({ path: `/customers${query}`, headers: withKey(shop.test) });
    assert.equal((await list("?limit=1")).headers.get("ratelimit"), '"key";r=1;t=1');
    const large = await list("");
    assert.equal(large.status, 200);
    assert.ok(large.text.length > 3 * 32 * 1024, `${large.text.length}`);
    const next = await list("?limit=1");
    assert.deepEqual(shown(next), refused(429, "too many requests"));
    // Two tokens more than it had, and one for the next request: 100 seconds each.
    assert.ok(Number(next.headers.get("retry-after")) > 200, `${next.headers.get("retry-after")}`);
  } finally {
    await slow.close();
  }
});

const DEEP = "[".repeat(32_000) + "]".repeat(32_000);
const JSON_TYPE = { "content-type": "application/json" };
const bodies: [what: string, request: Partial<TestRequest>, status: number, message: string][] = [
  ["10 MB", { body: "x".repeat(10_000_000), headers: JSON_TYPE }, 413, "request body too large"],
  ["10 MB of form", { form: `amount=${"1".repeat(10_000_000)}` }, 413, "request body too large"],
  ["text", { body: "amount=1", headers: { "content-type": "text/plain" } }, 415, "unsupported content type"],
  ["truncated JSON", { body: '{"amount":1', headers: JSON_TYPE }, 400, "invalid json"],
  ["text after the JSON", { body: '{"amount":1}{}', headers: JSON_TYPE }, 400, "invalid json"],
  ["a JSON list", { json: [1] }, 400, "invalid json"],
  ["a repeated form field", { form: "amount=1&amount=2" }, 400, "duplicate field (amount)"],
  ["a repeated JSON field", { body: '{"a":1,"a":2}', headers: JSON_TYPE }, 400, "duplicate field (a)"],
  ["bytes that are not text", { form: "amount=%FF" }, 400, "(amount) contains an unsupported character"],
  [
    "nothing",
    {},
    400,
    "(amount, customer_details, payment_reference, success_url, cancel_url) not found in request body",
  ],
  [
    "deep nesting",
    { body: JSON.stringify({ ...paymentLinkForm(), amount: 0 }).replace("0", DEEP), headers: JSON_TYPE },
    400,
    "(amount) must be a number",
  ],
];
for (const [what, request, status, message] of bodies) {
  test(`responds to a body of ${what} with: ${message}`, async () => {
    const response = await api.send({
      path: "/payment-links",
      method: "POST",
      ...request,
      headers: { ...request.headers, ...withKey(merchant.test) },
    });
    assert.deepEqual(shown(response), refused(status, message));
  });
}

test("checks the key before the body", async () => {
  const response = await api.send({ path: "/payment-links", body: "x".repeat(100_000), headers: JSON_TYPE });
  assert.deepEqual(shown(response), refused(401, "invalid api key"));
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
    assert.ok(text.endsWith('\r\n{"status":"fail","message":"bad request"}'), text);
  }
});

test("responds to an internal error with one text and writes its cause to the log only", async () => {
  const broken: NetworkRegistry = {
    find() {
      throw new Error("the cause");
    },
    list: () => [],
    all: () => [],
  };
  const failing = await startApi({ networks: broken });
  try {
    const response = await failing.send({ path: "/payment-links/supported-networks" });
    assert.deepEqual(shown(response), refused(500, "internal error"));
    const line = failing.logLines.find((entry) => entry.err !== undefined);
    assert.match(JSON.stringify(line), /the cause/);
    assert.equal(line?.requestId, response.headers.get("x-request-id"));
  } finally {
    await failing.close();
  }
});

test("keys are not in the log", () => {
  assert.ok(api.logLines.length > 20);
  assert.doesNotMatch(JSON.stringify(api.logLines), /pl_(?:live|test)_/);
});
