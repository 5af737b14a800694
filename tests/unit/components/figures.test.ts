import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type DayMetric, summarizeDays } from "#lib/domain/payment-links/totals/rules.ts";
import "#tests/support/jsx.ts";

const { Figures } = await import("#app/console/m/[merchant]/[env]/overview/figures.tsx");

const metric = (name: string, count: number, usdCents = 0n): DayMetric => ({
  day: "2030-03-02",
  metric: name,
  count,
  usdCents,
});
const overview = (created: number, paid: number, usdCents: bigint) =>
  summarizeDays(
    [metric("created", created), metric("paid", paid), metric("volume:bep20", paid, usdCents)].filter(
      ({ count }) => count > 0,
    ),
    { count: 1, steps: [], lastDay: "2030-03-02" },
  );

/** The texts of the four figures. */
function figures(period: ReturnType<typeof overview>, before: ReturnType<typeof overview>): string {
  const html = renderToStaticMarkup(
    createElement(Figures, { count: 30, period, before, today: period, yesterday: before, until: "14:15" }),
  );
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

test("each figure is compared with the one of the period before", () => {
  const text = figures(overview(9, 6, 11_200n), overview(10, 5, 10_000n));
  for (const part of [
    "$100.00 USD yesterday until 14:15",
    "+12% against the 30 days before",
    "−10% against the 30 days before",
    "67% 6 of 9 links are paid +17 points against the 30 days before",
  ])
    assert.ok(text.includes(part), `${part} in ${text}`);
});

test("a change of one is one point", () => {
  const text = figures(overview(100, 51, 10_000n), overview(100, 50, 10_000n));
  assert.ok(text.includes("+1 point against"), text);
});

test("a figure that did not change says so", () => {
  const same = overview(10, 5, 10_000n);
  assert.equal(figures(same, same).match(/the same as the 30 days before/g)?.length, 3);
});

test("nothing is compared with days that have no data", () => {
  const text = figures(overview(10, 5, 10_000n), overview(0, 0, 0n));
  assert.ok(!text.includes("before") && !text.includes("yesterday"), text);
});
