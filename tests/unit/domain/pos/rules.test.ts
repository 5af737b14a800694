import assert from "node:assert/strict";
import { test } from "node:test";
import { readTimeZone, startOfDay } from "#lib/domain/pos/rules.ts";

test("the day begins at midnight of the device, which is in UTC where its time zone is unknown", () => {
  const now = new Date("2026-11-23T23:30:15.250Z");
  assert.deepEqual(startOfDay(now, "UTC"), new Date("2026-11-23T00:00:00Z"));
  assert.deepEqual(startOfDay(now, "Africa/Lagos"), new Date("2026-11-23T23:00:00Z"));
  assert.deepEqual(startOfDay(now, "Asia/Kathmandu"), new Date("2026-11-23T18:15:00Z"));
  assert.deepEqual(startOfDay(now, "America/New_York"), new Date("2026-11-23T05:00:00Z"));
  assert.equal(readTimeZone("Africa/Lagos"), "Africa/Lagos");
  for (const wrong of ["", "Nowhere/Land", "x".repeat(100), "'; drop"])
    assert.equal(readTimeZone(wrong), "UTC");
});
