import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRetryAfter } from "#lib/platform/http/retry-after.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");

test("parses seconds and dates, with spaces around them", () => {
  assert.equal(parseRetryAfter("7", NOW), 7_000);
  assert.equal(parseRetryAfter(" 5 ", NOW), 5_000);
  assert.equal(parseRetryAfter("Sun, 01 Mar 2026 12:00:30 GMT", NOW), 30_000);
});

test("returns 0 for a header that is absent, malformed or in the past", () => {
  for (const text of [null, "", " ", "soon", "-5", "9999999999999", "Sun, 01 Mar 2020 12:00:30 GMT"]) {
    assert.equal(parseRetryAfter(text, NOW), 0, String(text));
  }
});
