import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDeviceCode, readDeviceCode, readTimeZone, startOfDay } from "#lib/domain/pos/rules.ts";

test("a device code is read however people type it, and nothing else is", () => {
  const code = formatDeviceCode(Uint8Array.from({ length: 12 }, (_, i) => i * 23 + 1));
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  const plain = code.replaceAll("-", "");
  assert.equal(readDeviceCode(code), plain);
  assert.equal(readDeviceCode(` ${code.toLowerCase().replaceAll("-", " ")} `), plain);
  assert.equal(readDeviceCode("oi1l-0000-0000"), "011100000000");
  for (const wrong of ["", "0000-0000-000", "0000-0000-00000", "0000-0000-000U", "é".repeat(12)])
    assert.equal(readDeviceCode(wrong), null, wrong);
});

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
