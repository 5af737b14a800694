import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changePercent,
  firstDay,
  periodBefore,
  summarizeDays,
} from "#lib/domain/payment-links/totals/rules.ts";

const NOW = new Date("2030-03-02T00:30:00Z");
const metric = (day: string, name: string, count: number, usdCents = 0n) => ({
  day,
  metric: name,
  count,
  usdCents,
});
const METRICS = [
  metric("2030-02-27", "created", 99),
  metric("2030-02-28", "created", 4),
  metric("2030-02-28", "opened", 3),
  metric("2030-02-28", "seen", 2),
  metric("2030-02-28", "paid", 2),
  metric("2030-03-01", "volume:bep20", 1, 10_000n),
  metric("2030-03-01", "time:5", 1),
  metric("2030-03-02", "volume:bitcoin", 1, 25_000n),
  metric("2030-03-02", "time:more", 1),
];

test("a period is whole days in UTC until today, with the days on which nothing was paid", () => {
  assert.equal(firstDay(3, NOW), "2030-02-28");
  const { days } = summarizeDays(METRICS, { count: 3, steps: [2, 5], now: NOW });
  assert.deepEqual(days, [
    { day: "2030-02-28", paid: 0, usdCents: 0n },
    { day: "2030-03-01", paid: 1, usdCents: 10_000n },
    { day: "2030-03-02", paid: 1, usdCents: 25_000n },
  ]);
});

test("conversion follows the links that were made in the period; volume counts what was paid in it", () => {
  const { funnel, networks, times } = summarizeDays(METRICS, { count: 3, steps: [2, 5], now: NOW });
  assert.deepEqual(funnel, { created: 4, opened: 3, seen: 2, paid: 2 });
  assert.deepEqual(
    networks.map(({ network, usdCents }) => [network, usdCents]),
    [
      ["bitcoin", 25_000n],
      ["bep20", 10_000n],
    ],
  );
  assert.deepEqual(times, [
    { minutes: 2, paid: 0 },
    { minutes: 5, paid: 1 },
    { minutes: null, paid: 1 },
  ]);
  assert.deepEqual(summarizeDays(METRICS, { count: 1, steps: [], now: NOW }).funnel.created, 0);
});

test("the period before has as many days and ends where the period begins", () => {
  const before = summarizeDays(METRICS, { count: 2, steps: [], now: periodBefore(2, NOW) });
  assert.deepEqual(
    before.days.map(({ day }) => day),
    ["2030-02-27", "2030-02-28"],
  );
  assert.equal(before.funnel.created, 103);
});

test("a change is a rounded part of what was before, and nothing where there was nothing", () => {
  const changes: readonly (readonly [before: bigint, after: bigint, percent: number | null])[] = [
    [100n, 112n, 12],
    [300n, 301n, 0],
    [200n, 201n, 1],
    [200n, 199n, -1],
    [200n, 0n, -100],
    [1n, 12n, 1_100],
    [0n, 5n, null],
  ];
  for (const [before, after, percent] of changes)
    assert.equal(changePercent(before, after), percent, `${before} to ${after}`);
});
