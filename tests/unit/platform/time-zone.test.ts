import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter, dayIn, findTimeZone, listTimeZones, startOfDay } from "#lib/platform/time-zone.ts";

test("a day begins at midnight of its time zone", () => {
  for (const [zone, day, start] of [
    ["UTC", "2026-11-24", "2026-11-24T00:00:00Z"],
    ["Africa/Lagos", "2026-11-24", "2026-11-23T23:00:00Z"],
    ["Asia/Kathmandu", "2026-11-24", "2026-11-23T18:15:00Z"],
    ["America/New_York", "2026-11-24", "2026-11-24T05:00:00Z"],
    // The clocks change during the day.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"],
    ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00Z"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z"],
    // They go from midnight to one: there is no midnight.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"],
    // They go back from midnight to eleven in the evening: there is one midnight, the second.
    ["Africa/Cairo", "2026-10-30", "2026-10-29T22:00:00Z"],
    // They go back from one to midnight: there are two, and the first is the start.
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"],
  ] as const) {
    const at = startOfDay(zone, day);
    assert.deepEqual(at, new Date(start), `${zone} ${day}`);
    assert.equal(dayIn(zone, at), day);
    assert.notEqual(dayIn(zone, new Date(at.getTime() - 1)), day);
  }
});

test("days follow each other, also at the end of a year", () => {
  assert.equal(dayAfter("2026-12-31"), "2027-01-01");
  assert.equal(dayAfter("2028-02-28"), "2028-02-29");
  assert.equal(dayIn("Pacific/Kiritimati", new Date("2026-12-31T10:00:00Z")), "2027-01-01");
});

test("a time zone has an IANA name", () => {
  for (const zone of listTimeZones()) assert.equal(findTimeZone(zone), zone);
  for (const zone of ["UTC", "Africa/Lagos", "America/Argentina/Buenos_Aires", "Asia/Kolkata"]) {
    assert.equal(findTimeZone(zone), zone);
    assert.ok(listTimeZones().includes(zone), zone);
  }
  for (const wrong of ["", "Nowhere/Land", "+01:00", "x".repeat(100), "'; drop", "Africa/Lagos\n"])
    assert.equal(findTimeZone(wrong), null, wrong);
  for (const [spelling, zone] of [
    ["aFRICA/lAGOS", "Africa/Lagos"],
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["US/Eastern", "America/New_York"],
  ] as const)
    assert.equal(findTimeZone(spelling), zone, "each zone has one spelling, so that few formatters are kept");
});
