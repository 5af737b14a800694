import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "#lib/platform/csv.ts";

test("quotes what needs it, and writes times in UTC and nothing for null", () => {
  assert.equal(
    csvLine(["a", 'b "c", d', "two\nlines", null, new Date("2026-11-24T04:00:00Z")]),
    'a,"b ""c"", d","two\nlines",,2026-11-24T04:00:00.000Z\r\n',
  );
});

test("no text is a formula, and a number stays one", () => {
  assert.equal(
    csvLine(["-12.50", "+1", "=1+1", "@x", "\tx", "-2+3"]),
    `-12.50,"'+1","'=1+1","'@x","'\tx","'-2+3"\r\n`,
  );
});
