import assert from "node:assert/strict";
import { test } from "node:test";
import "#tests/support/jsx.ts";

const { countdownText, passedMilestone } = await import("#components/ui/clock.tsx");

test("formats a countdown with days, hours, minutes and seconds as needed", () => {
  assert.deepEqual(
    [0, 9, 60, 3_599, 3_600, 86_399, 86_400, 273_723].map((seconds) => countdownText(seconds, "d")),
    ["00:00", "00:09", "01:00", "59:59", "1:00:00", "23:59:59", "1 d 00:00:00", "3 d 04:02:03"],
  );
});

test("announces a milestone once while counting down, and only the nearest after skipping several", () => {
  const five = { seconds: 300, text: "five" };
  const one = { seconds: 60, text: "one" };
  const announced = (before: number, left: number) =>
    passedMilestone([five, one], before, left)?.text ?? null;
  assert.deepEqual(
    [
      announced(301, 300),
      announced(300, 299),
      announced(299, 400),
      announced(400, 30),
      announced(60, 59),
      announced(61, 60),
    ],
    ["five", null, null, "one", null, "one"],
  );
});
