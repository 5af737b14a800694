/** The calls of a day are counted by a bench and stand in one table. The goals hold for it, and no other page has figures of its own. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { estimateCalls } from "#lib/chains/estimate-calls.ts";
import { NETWORK_CODES, NETWORKS } from "#lib/chains/networks.ts";
import { CALLS_PAGE, readCallsTable, replaceCallsRow } from "#tests/bench/calls-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const rows = readCallsTable(read(CALLS_PAGE));
const OTHERS = [
  "docs/chains.md",
  "docs/operate/nodes.md",
  ...NETWORK_CODES.map((code) => `lib/chains/data/${code}.ts`),
];

/** The most requests of a day with an open link. tests/chains/tron-calls.test.ts holds trc20's pass by pass. */
const OPEN = { trc20: 60_000, bep20: 250_000 } as const;
/** The same while no payment is expected, with an address and without. trc20: it reads the results of each block with transactions. */
const MOST_IDLE = 30_000;
const IDLE = { trc20: 45_000 } as const;

test("every network was counted, and none asks more than its goal", () => {
  const names = new Set(rows.map(({ name }) => name));
  for (const code of NETWORK_CODES) assert.ok(names.has(code), `${code} was not counted`);
  for (const { name, open, idle, unused } of rows) {
    const most = OPEN[name as keyof typeof OPEN] ?? Number.POSITIVE_INFINITY;
    assert.ok(open.requests <= most, `${name} asks ${open.requests} times a day`);
    const mostIdle = IDLE[name as keyof typeof IDLE] ?? MOST_IDLE;
    assert.ok(idle.requests <= mostIdle, `${name} asks ${idle.requests} times a day while idle`);
    assert.ok(
      unused.requests <= MOST_IDLE,
      `${name} asks ${unused.requests} times a day, without an address`,
    );
  }
});

test("`paylink node probe` estimates what was counted", () => {
  for (const { name, open, idle } of rows) {
    const code = NETWORK_CODES.find((one) => one === name);
    if (code === undefined) continue;
    const estimate = estimateCalls({ ...NETWORKS[code], idleMs: 30_000 });
    for (const [kind, ratio] of Object.entries({
      open: estimate.open / open.calls,
      idle: estimate.idle / idle.calls,
    }))
      assert.ok(
        ratio > 0.6 && ratio < 1.7,
        `${name}, ${kind}: the estimate is ${ratio.toFixed(2)} of the count`,
      );
  }
});

test("no other page and no data of a network has calls of a day", () => {
  const figure = /[0-9][0-9,]*[0-9] (calls|requests) a day|: [0-9]{1,3},[0-9]{3} a day/;
  for (const path of OTHERS) {
    // The quota of a provider's plan is another figure.
    const found = read(path)
      .split("\n")
      .filter((line) => figure.test(line) && !line.includes("plan"));
    assert.deepEqual(found, [], path);
  }
});

test("a counted network replaces its row of the table, or is added to it", () => {
  const load = (requests: number) => ({ requests, calls: requests * 2 });
  const row = { name: "bitcoin", open: load(123_456), idle: load(7_890), unused: load(12) };
  const once = readCallsTable(replaceCallsRow(read(CALLS_PAGE), row));
  assert.deepEqual(once.find(({ name }) => name === "bitcoin")?.open, { requests: 120_000, calls: 250_000 });
  assert.equal(once.length, rows.length);
  const added = readCallsTable(replaceCallsRow(read(CALLS_PAGE), { ...row, name: "new" }));
  assert.deepEqual([added.length, added.at(-1)?.name], [rows.length + 1, "new"]);
});
