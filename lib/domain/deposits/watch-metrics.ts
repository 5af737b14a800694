import { Counter } from "prom-client";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { NodeErrorKind } from "#lib/chains/node-error.ts";

/** Why a pass failed: an error of its nodes, or `internal` (the database is unavailable, or a fault in this program). */
export type PassFailure = NodeErrorKind | "internal";

const DECISIONS = ["credited", "held", "reversed", "left_out"] as const;
/** The decision of a pass or a requery about a deposit. */
export type DepositDecision = (typeof DECISIONS)[number];

const passes = new Counter({
  name: "paylink_watch_passes_total",
  help: "Completed passes of this process over a network",
  labelNames: ["env", "network"],
  registers: [],
});
const failures = new Counter({
  name: "paylink_watch_failures_total",
  help: "Failed passes of this process, by kind of failure",
  labelNames: ["env", "network", "kind"],
  registers: [],
});
const decisions = new Counter({
  name: "paylink_deposits_total",
  help: "Deposits that this process credited, held for review, reversed or left out as dust",
  labelNames: ["env", "network", "state"],
  registers: [],
});

/** The counters of the watchers of this process, since its start. */
export const watchCounters = { passes, failures, decisions };

/** Creates the series of a network with 0, so that a rate can be computed from its first increase. */
function initializeSeries({ env, network }: NetworkScope): void {
  passes.inc({ env, network }, 0);
  for (const state of DECISIONS) decisions.inc({ env, network, state }, 0);
}

/** Counts a successful pass. */
export function countPass(scope: NetworkScope): void {
  initializeSeries(scope);
  passes.inc({ env: scope.env, network: scope.network });
}

/** Counts a failed pass. */
export function countFailure(scope: NetworkScope, kind: PassFailure): void {
  initializeSeries(scope);
  failures.inc({ env: scope.env, network: scope.network, kind });
}

/** Counts decisions. Call it after their transaction is committed. */
export function countDecisions(
  { env, network }: NetworkScope,
  deposits: Readonly<Partial<Record<DepositDecision, number>>>,
): void {
  initializeSeries({ env, network });
  for (const state of DECISIONS) decisions.inc({ env, network, state }, deposits[state] ?? 0);
}
