import assert from "node:assert/strict";
import { test } from "node:test";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";

for (const [url, problem] of [
  ["https://shop.example/hook", null],
  ["http://shop.example/hook?a=b", null],
  ["https://shop.example:443/", null],
  ["https://shop.example:80/", null],
  ["http://shop.example:443/", null],
  ["https://shop.example:1024/", null],
  ["https://shop.example:65535/", null],
  ["https://shop.example:1023/", "url_port_closed"],
  ["https://shop.example:0/", "url_port_closed"],
  ["http://shop.example:22/", "url_port_closed"],
  ["http://shop.example:25/", "url_port_closed"],
  ["https://shop.example:65536/", "url_malformed"],
  ["https://user:secret@shop.example/", "url_with_credentials"],
  ["https://user@shop.example/", "url_with_credentials"],
  ["https://:secret@shop.example/", "url_with_credentials"],
  ["ftp://shop.example/", "url_not_http"],
  ["file:///etc/passwd", "url_not_http"],
  ["gopher://shop.example:70/", "url_not_http"],
  ["javascript:alert(1)", "url_not_http"],
  ["shop.example/hook", "url_malformed"],
  ["//shop.example/hook", "url_malformed"],
  ["", "url_malformed"],
] as const) {
  test(`${url || "an empty text"}: ${problem ?? "may be called"}`, () => {
    assert.equal(findUrlProblem(url), problem);
  });
}
