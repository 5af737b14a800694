import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changePercent,
  cutAtDay,
  dayBefore,
  listDays,
  partOfDay,
  summarizeDays,
} from "#lib/domain/payment-links/totals/rules.ts";

const LAST = "2030-03-02";
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

test("a period is whole days until its last one, with the days on which nothing was paid", () => {
  assert.equal(dayBefore(LAST, 2), "2030-02-28");
  const { days } = summarizeDays(METRICS, { count: 3, steps: [2, 5], lastDay: LAST });
  assert.deepEqual(days, [
    { day: "2030-02-28", paid: 0, usdCents: 0n },
    { day: "2030-03-01", paid: 1, usdCents: 10_000n },
    { day: "2030-03-02", paid: 1, usdCents: 25_000n },
  ]);
});

test("conversion follows the links that were made in the period; volume counts what was paid in it", () => {
  const { funnel, networks, times } = summarizeDays(METRICS, { count: 3, steps: [2, 5], lastDay: LAST });
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
  assert.deepEqual(summarizeDays(METRICS, { count: 1, steps: [], lastDay: LAST }).funnel.created, 0);
});

test("the period before has as many days, and ends on its last day where today is now", () => {
  const part = [metric("2030-02-28", "created", 1)];
  const before = summarizeDays(cutAtDay(METRICS, "2030-02-28", part), {
    count: 2,
    steps: [],
    lastDay: "2030-02-28",
  });
  assert.deepEqual(
    before.days.map(({ day }) => day),
    ["2030-02-27", "2030-02-28"],
  );
  assert.deepEqual(before.funnel, { created: 100, opened: 0, seen: 0, paid: 0 });
});

const partAt = (zone: string, now: string, day: string) => {
  const { from, to } = partOfDay(zone, { day, now: new Date(now) });
  return [from.toISOString().slice(5, 16), to.toISOString().slice(5, 16)];
};

test("yesterday is compared until the same time of day, at the last full quarter of an hour", () => {
  assert.deepEqual(partAt("UTC", "2030-03-02T14:29:59Z", "2030-03-01"), ["03-01T00:00", "03-01T14:15"]);
  assert.deepEqual(partAt("UTC", "2030-03-02T00:14:59Z", "2030-03-01"), ["03-01T00:00", "03-01T00:00"]);
  assert.deepEqual(partAt("UTC", "2030-03-02T23:59:59Z", "2030-03-01"), ["03-01T00:00", "03-01T23:45"]);
  assert.deepEqual(partAt("Africa/Lagos", "2030-03-01T23:20:00Z", "2030-03-01"), [
    "02-28T23:00",
    "02-28T23:15",
  ]);
  assert.deepEqual(partAt("Asia/Kathmandu", "2030-03-02T12:00:00Z", "2030-03-01"), [
    "02-28T18:15",
    "03-01T12:00",
  ]);
});

test("the time of day is that of the clock where one of both days has 23 or 25 hours", () => {
  type Case = readonly [about: string, zone: string, now: string, day: string, from: string, to: string];
  const [berlin, newYork] = ["Europe/Berlin", "America/New_York"];
  const cases: readonly Case[] = [
    ["9:07 after 23 hours", berlin, "2026-03-30T07:07:00Z", "2026-03-29", "03-28T23:00", "03-29T07:00"],
    ["9:07 of 23 hours", berlin, "2026-03-29T07:07:00Z", "2026-03-28", "03-27T23:00", "03-28T08:00"],
    ["9:07 after 25 hours", berlin, "2026-10-26T08:07:00Z", "2026-10-25", "10-24T22:00", "10-25T08:00"],
    ["9:07 of 25 hours", berlin, "2026-10-25T08:07:00Z", "2026-10-24", "10-23T22:00", "10-24T07:00"],
    ["23:59 of 25 hours", berlin, "2026-10-25T22:59:00Z", "2026-10-24", "10-23T22:00", "10-24T21:45"],
    ["9:07 after 23 hours", newYork, "2026-03-09T13:07:00Z", "2026-03-08", "03-08T05:00", "03-08T13:00"],
    ["9:07 after 25 hours", newYork, "2026-11-02T14:07:00Z", "2026-11-01", "11-01T04:00", "11-01T14:00"],
    ["9:07 seven days later", newYork, "2026-11-03T14:07:00Z", "2026-10-27", "10-27T04:00", "10-27T13:00"],
    // A time that the clock skipped is that at which it continues, and one that it showed twice is the second one.
    ["2:35 is skipped", berlin, "2026-03-30T00:35:00Z", "2026-03-29", "03-28T23:00", "03-29T01:00"],
    ["2:35 came twice", berlin, "2026-10-26T01:35:00Z", "2026-10-25", "10-24T22:00", "10-25T01:30"],
    ["0:20 is skipped", "Africa/Cairo", "2026-04-24T21:20:00Z", "2026-04-24", "04-23T22:00", "04-23T22:00"],
  ];
  for (const [about, zone, now, day, ...part] of cases)
    assert.deepEqual(partAt(zone, now, day), part, `${zone}, ${about}`);
});

test("the days of a time zone follow each other without a gap, also where clocks change", () => {
  const days = listDays("Europe/Berlin", new Date("2030-03-29T23:30:00Z"), new Date("2030-04-01T00:00:00Z"));
  assert.deepEqual(
    days.map(({ day, from }) => [day, from.toISOString().slice(5, 13)]),
    [
      ["2030-03-30", "03-29T23"],
      ["2030-03-31", "03-30T23"],
      ["2030-04-01", "03-31T22"],
    ],
  );
  for (const [i, { to }] of days.entries()) assert.deepEqual(to, days[i + 1]?.from ?? to);
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
