import type { NodeErrorKind } from "#lib/chains/network.ts";
import type { NetworkScope } from "../types.ts";

/** Why a pass failed: an error of its nodes, or `internal` (the database is unavailable, or a fault in this program). */
export type PassFailure = NodeErrorKind | "internal";

/** What a pass or a requery decided about a deposit. */
export type DepositDecision = "credited" | "held" | "reversed";

/** What the watcher of one network has done since this process started. */
export interface WatchCounters extends NetworkScope {
  readonly passes: number;
  readonly failures: Readonly<Partial<Record<PassFailure, number>>>;
  /** Deposits by decision. */
  readonly decisions: Readonly<Record<DepositDecision, number>>;
  /** The last pass failed. */
  readonly failing: boolean;
  /** End of the last successful pass; null: none yet. */
  readonly lastPassAt: Date | null;
}

const counters = new Map<string, WatchCounters>();

function updateCounters(
  { env, network }: NetworkScope,
  next: (counted: WatchCounters) => Partial<WatchCounters>,
): void {
  const key = `${env} ${network}`;
  const counted = counters.get(key) ?? {
    env,
    network,
    passes: 0,
    failures: {},
    failing: false,
    lastPassAt: null,
    decisions: { credited: 0, held: 0, reversed: 0 },
  };
  counters.set(key, { ...counted, ...next(counted) });
}

/** Counts a successful pass. */
export function countPass(scope: NetworkScope, now: Date): void {
  updateCounters(scope, ({ passes }) => ({ passes: passes + 1, failing: false, lastPassAt: now }));
}

/** Counts a failed pass. */
export function countFailure(scope: NetworkScope, failure: PassFailure): void {
  updateCounters(scope, ({ failures }) => ({
    failures: { ...failures, [failure]: (failures[failure] ?? 0) + 1 },
    failing: true,
  }));
}

/** Counts decisions. Call it after their transaction is committed. */
export function countDecisions(
  scope: NetworkScope,
  deposits: Readonly<Partial<Record<DepositDecision, number>>>,
): void {
  updateCounters(scope, ({ decisions }) => ({
    decisions: {
      credited: decisions.credited + (deposits.credited ?? 0),
      held: decisions.held + (deposits.held ?? 0),
      reversed: decisions.reversed + (deposits.reversed ?? 0),
    },
  }));
}

/** Returns the counters of every network that this process has watched. */
export function getWatchMetrics(): readonly WatchCounters[] {
  return [...counters.values()];
}
