import assert from "node:assert/strict";
import { test } from "node:test";
import "#tests/support/jsx.ts";

const { ageText, countdownText } = await import("#components/ui/clock.tsx");

test("a countdown shows what a person needs of it", () => {
  assert.deepEqual([0, 9, 60, 3_599, 3_600, 86_399, 86_400, 273_723].map(countdownText), [
    "00:00",
    "00:09",
    "01:00",
    "59:59",
    "1:00:00",
    "23:59:59",
    "1 d 00:00:00",
    "3 d 04:02:03",
  ]);
});

test("an age is in the largest unit that fits", () => {
  assert.deepEqual(
    [1, 59, 60, 3_600, 90_000].map((seconds) => ageText(seconds, "en")),
    ["1 second ago", "59 seconds ago", "1 minute ago", "1 hour ago", "25 hours ago"],
  );
});
