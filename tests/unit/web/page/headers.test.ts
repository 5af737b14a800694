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

test("a nonce is new for each request and valid in a policy", () => {
  const nonces = Array.from({ length: 100 }, newNonce);
  assert.equal(new Set(nonces).size, 100);
  for (const nonce of nonces) assert.match(nonce, /^[A-Za-z0-9+/]{22}==$/);
});

test("in production no inline script runs without the nonce, and no code is evaluated", () => {
  const csp = policy(pageHeaders("bm9uY2U=", { dev: false }));
  assert.deepEqual(csp.get("default-src"), ["'none'"]);
  assert.deepEqual(csp.get("script-src"), ["'self'", "'nonce-bm9uY2U='", "'strict-dynamic'"]);
  assert.doesNotMatch([...csp.values()].flat().join(" "), /unsafe|\*|https?:/);
});

test("only the page's own origin and the given origins may frame the page", () => {
  const headers = pageHeaders("bm9uY2U=", { dev: false, frameAncestors: ["https://shop.example"] });
  assert.deepEqual(policy(headers).get("frame-ancestors"), ["'self'", "https://shop.example"]);
  assert.deepEqual(policy(pageHeaders("bm9uY2U=", { dev: false })).get("frame-ancestors"), ["'self'"]);
});

test("the request has the same nonce in the header that Next reads", () => {
  assert.match(requestCsp("bm9uY2U=", { dev: false }), /script-src [^;]*'nonce-bm9uY2U='/);
});

test("search engines do not index the page, and a form without scripts still sends its origin", () => {
  const headers = pageHeaders("bm9uY2U=", { dev: false });
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "strict-origin");
});
