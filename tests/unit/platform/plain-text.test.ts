import assert from "node:assert/strict";
import { test } from "node:test";
import { isFilledLine } from "#lib/platform/plain-text.ts";

test("a filled line has no control characters, line ends or marks of direction, says something and is short enough", () => {
  for (const text of ["Coffee, 250 g", "قهوة", "₦ 5", "12345"]) assert.ok(isFilledLine(text, 20), text);
  for (const text of [
    "",
    "  ",
    "a\nb",
    "a\u0000b",
    "a\u2028b",
    "\u202eevil",
    "a\u2066b",
    "\ud800",
    "x".repeat(21),
  ])
    assert.ok(!isFilledLine(text, 20), JSON.stringify(text));
});
