import assert from "node:assert/strict";
import { test } from "node:test";
import { Counter } from "prom-client";
import type { NetworkAdapter, NetworkRegistry, NodeReport } from "#lib/chains/network.ts";
import { fillHours, healthOf, NODE_HOURS_KEPT_MS } from "#lib/domain/nodes/health-rules.ts";
import { listNodeHours } from "#lib/domain/nodes/queries.ts";
import { createNodeHours } from "#lib/domain/nodes/record-node-hours.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const t = await databaseOfFile();

const at = (time: string) => new Date(`2026-03-01T${time}:00Z`);

/** A process that watches one network by these nodes. */
function aProcess(nodes: readonly NodeReport[]) {
  const counter = (name: string) =>
    new Counter({ name, help: name, labelNames: ["env", "network", "node"], registers: [] });
  const counters = { requests: counter("requests"), errors: counter("errors") };
  const adapter = {
    env: "test",
    network: "bep20",
    nodes: { report: () => nodes },
  } as unknown as NetworkAdapter;
  const networks = { all: () => [adapter] } as unknown as NetworkRegistry;
  const ask = (node: string, requests: number, errors: number) => {
    counters.requests.inc({ env: "test", network: "bep20", node }, requests);
    counters.errors.inc({ env: "test", network: "bep20", node }, errors);
  };
  return { ask, record: createNodeHours({ db: t.db, networks, counters }) };
}

const report = (name: string, height: number | null): NodeReport => ({ name, height, error: null });

test("adds up what two processes ask each node in an hour, and forgets old hours", async () => {
  const one = aProcess([report("a.example", 100), report("b.example", 97), report("b.example", null)]);
  const two = aProcess([report("a.example", 100), report("b.example", 99)]);
  one.ask("a.example", 10, 0);
  one.ask("b.example", 20, 2);
  await one.record(at("10:01"));
  // Counted hours are not counted again.
  await one.record(at("10:02"));
  two.ask("b.example", 5, 1);
  await two.record(at("10:59"));
  one.ask("a.example", 1, 1);
  await one.record(at("11:00"));
  const listed = await listNodeHours(t.db, at("00:00"));
  const shown = listed.map(({ node, hour, requests, errors, behind }) =>
    [hour.toISOString().slice(11, 13), node, requests, errors, behind].join(" "),
  );
  assert.deepEqual(shown.toSorted(), [
    "10 a.example 10 0 0",
    "10 b.example 25 3 3",
    "11 a.example 1 1 0",
    "11 b.example 0 0 3",
  ]);
  await one.record(new Date(at("10:00").getTime() + NODE_HOURS_KEPT_MS + 1));
  const kept = await listNodeHours(t.db, at("00:00"));
  assert.ok(kept.every(({ hour }) => hour > at("10:00")));
  assert.ok(kept.some(({ hour }) => hour.getTime() === at("11:00").getTime()));
});

test("shows seven days of hours without gaps, and how good each was", async () => {
  const hour = { env: "test", network: "bep20", node: "a", behind: 0 } as const;
  const week = fillHours([{ ...hour, hour: at("09:00"), requests: 100, errors: 1 }], at("10:30"));
  assert.equal(week.length, 168);
  assert.deepEqual(
    week.slice(-3).map((one) => [one.hour, healthOf(one)]),
    [
      [at("08:00"), "idle"],
      [at("09:00"), "fair"],
      [at("10:00"), "idle"],
    ],
  );
  assert.equal(healthOf({ requests: 1_000, errors: 9 }), "good");
  assert.equal(healthOf({ requests: 1_000, errors: 100 }), "poor");
});
