import assert from "node:assert/strict";
import { test } from "node:test";
import { framingOrigins } from "#lib/domain/payment-links/framing-rules.ts";

const terms = (over: Partial<Parameters<typeof framingOrigins>[0]> = {}) => ({
  successUrl: "https://shop.example/thanks?order=1",
  cancelUrl: "https://shop.example/cart",
  allowOrigins: [],
  ...over,
});

test("returns the origins of the link's URLs and the registered ones, without duplicates", () => {
  assert.deepEqual(framingOrigins(terms()), ["https://shop.example"]);
  assert.deepEqual(
    framingOrigins(
      terms({
        cancelUrl: "https://www.shop.example:8443/",
        allowOrigins: ["https://app.example", "https://shop.example", "http://127.0.0.1:3001"],
      }),
    ),
    ["https://shop.example", "https://www.shop.example:8443", "https://app.example", "http://127.0.0.1:3001"],
  );
});

test("writes origins as browsers do: lower case, without the default port, in ASCII", () => {
  assert.deepEqual(
    framingOrigins(terms({ successUrl: "https://SHOP.example:443/x", cancelUrl: "https://bücher.example/" })),
    ["https://shop.example", "https://xn--bcher-kva.example"],
  );
  assert.deepEqual(
    framingOrigins(terms({ allowOrigins: ["http://[::1]:3000"] })).at(-1),
    "http://[::1]:3000",
  );
});

test("excludes origins that could end the policy's directive", () => {
  const hostile = [
    "https://a;sandbox/",
    "https://a,b.example/",
    "https://*.example/",
    "https://a'b.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "null",
    "not a url",
  ];
  for (const url of hostile) {
    assert.deepEqual(framingOrigins({ successUrl: url, cancelUrl: url, allowOrigins: [url] }), [], url);
  }
});
