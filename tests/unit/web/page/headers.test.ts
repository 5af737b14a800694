import assert from "node:assert/strict";
import { test } from "node:test";
import { newNonce, pageHeaders, requestCsp } from "#lib/web/page/headers.ts";

const policy = (headers: Record<string, string>) =>
  new Map(
    (headers["content-security-policy"] ?? "").split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values] as const;
    }),
  );

test("a nonce is new every time and fits the policy's grammar", () => {
  const nonces = Array.from({ length: 100 }, newNonce);
  assert.equal(new Set(nonces).size, 100);
  for (const nonce of nonces) assert.match(nonce, /^[A-Za-z0-9+/]{22}==$/);
});

test("in production nothing inline runs without the nonce and nothing evaluates code", () => {
  const csp = policy(pageHeaders("bm9uY2U=", { dev: false }));
  assert.deepEqual(csp.get("default-src"), ["'none'"]);
  assert.deepEqual(csp.get("script-src"), ["'self'", "'nonce-bm9uY2U='", "'strict-dynamic'"]);
  assert.doesNotMatch([...csp.values()].flat().join(" "), /unsafe|\*|https?:/);
});

test("the page is framed by its own origin and those named, no other", () => {
  const headers = pageHeaders("bm9uY2U=", { dev: false, frameAncestors: ["https://shop.example"] });
  assert.deepEqual(policy(headers).get("frame-ancestors"), ["'self'", "https://shop.example"]);
  assert.deepEqual(policy(pageHeaders("bm9uY2U=", { dev: false })).get("frame-ancestors"), ["'self'"]);
});

test("the request carries the same nonce, where Next looks for it", () => {
  assert.match(requestCsp("bm9uY2U=", { dev: false }), /script-src [^;]*'nonce-bm9uY2U='/);
});

test("the page is for no search engine, and a form without scripts still names its origin", () => {
  const headers = pageHeaders("bm9uY2U=", { dev: false });
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "strict-origin");
});
