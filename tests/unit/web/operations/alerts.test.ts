/** ops/: the alerts and the dashboard name metrics that a process has, and the manual lists the same alerts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { openMetrics } from "#lib/web/operations/metrics.ts";
import { startApi } from "#tests/support/api.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const api = await startApi();
after(() => api.close());
const { database, networks } = api.services;
// A process with everything that has a series.
const replica = { findLeftOut: () => null };
const text = await openMetrics({ database: { ...database, replica }, networks, mail: true }).text();
const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));

const alerts = [...read("ops/alerts.yaml").matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression);
const dashboard = JSON.parse(read("ops/grafana-dashboard.json")) as {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { expr: string }[] }[];
};

/** The metrics of an expression that no process has. A histogram's parts belong to it. */
function unknownMetrics(expression: string): string[] {
  const names = expression.match(/\b(?:paylink|nodejs|process)_\w+/g) ?? [];
  assert.notEqual(names.length, 0, expression);
  return names.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, "")) && !known.has(name));
}

test("every alert and panel names metrics that a process has", () => {
  const panels = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert.equal(alerts.length > 20 && panels.length > 20, true);
  assert.deepEqual(
    [...alerts, ...panels].flatMap((expression) => unknownMetrics(expression ?? "")),
    [],
  );
  assert.deepEqual(unknownMetrics("paylink_watch_failng == 1"), ["paylink_watch_failng"]);
});

test("the manual lists these alerts", () => {
  const section = read("docs/operate/monitoring.md").split("## Alerts")[1]?.split("\n## ")[0] ?? "";
  const listed = [...section.matchAll(/^\| .+ \| `(.+)` \|$/gm)].map(([, expression]) => expression);
  assert.deepEqual(listed, alerts);
});
