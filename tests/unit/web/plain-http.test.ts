import assert from "node:assert/strict";
import { test } from "node:test";
import { hidesOrigin, isPlainRequest } from "#lib/web/plain-http.ts";

const HOST = ["Host", "pay.example"];

test("a plain request has a path of this server and one host", () => {
  for (const url of [
    "/",
    "/pay/x",
    "/pay/x?next=http://a/../b\\c",
    "/_next/static/chunks/app/%5Brefid%5D.js",
    "/.env",
    "/v1/transaction/status/a%2fb",
    "/%252",
    "/..a/b..",
  ]) {
    assert.ok(isPlainRequest({ url, rawHeaders: HOST }), url);
  }
  for (const url of [
    "",
    "*",
    "http://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/a/../b",
    "/a/.",
    "/%2E./b",
    "/v1/x/../tokens",
    "/v1/x/%2e%2E/tokens",
    "/v1/x%2f..%2Ftokens",
    "/v1/x\\..\\tokens",
    "/v1/x/..%5ctokens",
    "/v1/x/%252e%252e/tokens",
    "/v1/x%25252f%25252e.%252ftokens",
    "/v1/x%5Ctokens",
  ]) {
    assert.ok(!isPlainRequest({ url, rawHeaders: HOST }), url);
  }
  assert.ok(!isPlainRequest({ url: "/", rawHeaders: [...HOST, "hOst", "evil.example"] }));
  assert.ok(isPlainRequest({ url: "/", rawHeaders: [...HOST, "x-a", "host"] }));
});

test("a form without an origin is from a program, unless the browser reports another site", () => {
  const hides = (origin: string | undefined, site: string | undefined) => hidesOrigin({ origin, site });
  assert.deepEqual(
    [hides(undefined, undefined), hides(undefined, "same-origin"), hides(undefined, "none")],
    [false, false, false],
  );
  assert.deepEqual([hides(undefined, "cross-site"), hides(undefined, "same-site")], [true, true]);
  assert.equal(hides("https://pay.example", "cross-site"), false, "compared by the origin itself");
});
