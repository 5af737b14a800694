import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import "#tests/support/jsx.ts";

const { DayChart } = await import("#components/console/charts/day-chart.tsx");

const BARS = [
  { day: "2026-11-26", text: "$0.00 USD, 0 links", share: 0 },
  { day: "2026-11-27", text: "$50.00 USD, 2 links", share: 0.5 },
  { day: "2026-11-28", text: "$75.00 USD, 3 links", share: 0.75 },
];
const AXIS = ["$0", "$50", "$100"];
const html = renderToStaticMarkup(
  createElement(DayChart, { label: "Paid by day", bars: BARS, axis: AXIS, summary: "3 days" }),
);
const all = (pattern: RegExp) => [...html.matchAll(pattern)].map((match) => match.slice(1));

test("draws a grid line for each value of the axis, and a bar for each day", () => {
  assert.deepEqual(all(/<line x2="100%" y1="(\d+%)"/g), [["0%"], ["50%"], ["100%"]]);
  const heights = all(/<rect [^>]*y="([\d.]+%)" height="([\d.]+%)"/g);
  assert.deepEqual(heights, [
    ["100%", "0%"],
    ["50%", "50%"],
    ["25%", "75%"],
  ]);
  for (const text of [...AXIS, "Nov 26", "Nov 27", "Nov 28"]) assert.ok(html.includes(`>${text}<`), text);
});

test("is one stop of the keyboard, which says the last day first", () => {
  const [[slider = ""] = []] = all(/(<input [^>]*>)/g);
  for (const part of ['type="range"', 'aria-label="Paid by day"', 'max="2"', 'value="2"'])
    assert.ok(slider.includes(part), part);
  assert.ok(slider.includes('aria-valuetext="Nov 28: $75.00 USD, 3 links"'), slider);
  assert.ok(html.includes("3 days"), "the summary is shown until a day is pointed at");
});

test("has no style that the page's policy forbids", () => {
  assert.ok(!html.includes("style="), html);
});
