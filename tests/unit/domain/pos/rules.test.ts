import assert from "node:assert/strict";
import { test } from "node:test";
import { readTimeZone } from "#lib/domain/pos/rules.ts";

test("a device has the time zone of its browser, or UTC if that is unknown", () => {
  assert.equal(readTimeZone("Africa/Lagos"), "Africa/Lagos");
  for (const wrong of ["", "Nowhere/Land", "x".repeat(100), "'; drop"])
    assert.equal(readTimeZone(wrong), "UTC");
});
