import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import type { DayLoad } from "./day-load.ts";
import { leadHome } from "./lead-home.ts";
import { listPlayed, type PlayedNode } from "./plans.ts";
import { type PlayedRun, type RunSize, runProviders } from "./run.ts";

/** Blocks of an hour, at most as many as a development node makes in a short time. */
export interface PlayedNetwork extends Omit<RunSize, "links"> {
  /** The name of its driver. */
  readonly driver: string;
  readonly network: string;
  /** Tokens that the operator receives; each is played on its own. Undefined: all. */
  readonly tokens: readonly (readonly TokenCode[] | undefined)[];
  /** Providers of which no known plan is enough for a day with an open link. Absent: none. */
  readonly tooSmall?: readonly string[];
  /** Only these providers. Absent: all that serve the network and can be watched through. */
  readonly only?: readonly string[];
}

/** Refusals of one kind in a run. A client that does not learn from them gets many more. */
export const MOST_REFUSED = 20;

/** Payments of one link. */
const OF_A_LINK = 10;

/** Plays every provider of a network at the same time, prints a table, and fails when a payment is lost or a plan is too small. */
export function keepWithinPlans(played: PlayedNetwork): void {
  const { driver, network, only } = played;
  test(`${network}: every payment is credited once through each provider, within its plans`, async (t) => {
    const nodes = listPlayed(network).filter(({ name, missing }) =>
      only ? only.includes(name) : !missing.includes("eth_getLogs"),
    );
    const pairs = played.tokens.flatMap((tokens) =>
      nodes.map((plan) => ({ plan, ...(tokens && { tokens }) })),
    );
    t.after(leadHome(nodes.map(({ host }) => host)));
    const size = { ...played, links: played.payments / OF_A_LINK };
    const runs = await runProviders(await DRIVERS[driver]!(), pairs, size);
    console.log([...HEAD, ...runs.map((run, i) => toRow(network, pairs[i]!.plan, run))].join("\n"));
    const found = runs.map(({ lost, doubled, problems, paid }) => ({ lost, doubled, problems, paid }));
    const whole = { lost: 0, doubled: 0, problems: [], paid: played.payments };
    assert.deepEqual(found, Array(pairs.length).fill(whole));
    const most = Math.max(0, ...runs.flatMap(({ counts }) => Object.values(counts.refused)));
    assert.ok(most <= MOST_REFUSED, `${most} refusals of one kind`);
    const exceeded = (when: "open" | "idle") =>
      pairs.flatMap(({ plan }, i) => {
        const load = runs[i]![when];
        return load !== null && choosePlan(plan, load) === null ? plan.name : [];
      });
    assert.deepEqual([...new Set(exceeded("open"))], played.tooSmall ?? []);
    assert.deepEqual(exceeded("idle"), []);
  });
}

/** The smallest plan that a day's load fits into. A plan without a published figure counts as large enough. */
function choosePlan({ plan, perDay, paid, countsRequests }: PlayedNode, load: DayLoad): string | null {
  const used = countsRequests ? load.requests : load.units;
  const plans = [{ plan, perDay: perDay ?? Number.POSITIVE_INFINITY }, ...paid];
  return plans.find((one) => used <= one.perDay)?.plan ?? null;
}

const HEAD = [
  "| Network | Provider | Tokens | Catching up | Calls for it | Calls a day, open | Calls a day, idle | Plan, open | Plan, idle | Refused |",
  "|---|---|---|---|---|---|---|---|---|---|",
];

function toRow(network: string, plan: PlayedNode, run: PlayedRun): string {
  const { open, idle, counts, catchUpSeconds, catchUpCalls, tokens } = run;
  const figure = (count: number) => count.toLocaleString("en-US");
  const refused = Object.entries(counts.refused).map(([why, count]) => `${count} ${why}`);
  const load = (day: DayLoad | null) => (day === null ? "" : figure(day.calls));
  const fits = (day: DayLoad | null) => (day === null ? "" : (choosePlan(plan, day) ?? "none"));
  const cells = [
    ...[network, `${plan.name}, ${plan.plan}`, tokens?.join() ?? "all", `${catchUpSeconds.toFixed(0)} s`],
    ...[figure(catchUpCalls), load(open), load(idle), fits(open), fits(idle), refused.join(", ")],
  ];
  return `| ${cells.join(" | ")} |`;
}
