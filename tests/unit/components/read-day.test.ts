import assert from "node:assert/strict";
import { test } from "node:test";
import { readDay } from "#app/console/m/read-day.ts";

test("a day is a day of the calendar", () => {
  assert.equal(readDay("2026-11-24"), "2026-11-24");
  for (const text of ["2026-02-30", "2026-13-01", "26-1-1", "2026-11-24T00", "", undefined, ["2026-11-24"]])
    assert.equal(readDay(text), null);
});
