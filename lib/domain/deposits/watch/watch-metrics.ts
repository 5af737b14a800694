import type { NodeErrorKind } from "#lib/chains/network.ts";
import type { NetworkScope } from "../types.ts";

/** Why a pass failed: what its nodes did, or something of ours (a database that is away, a fault in the program). */
export type PassFailure = NodeErrorKind | "internal";

/** What a pass or a requery decides about a deposit. */
export type DepositDecision = "credited" | "held" | "reversed";

/** What the watcher of one network has done since this process started. */
export interface WatchCounters extends NetworkScope {
  readonly passes: number;
  readonly failures: Readonly<Partial<Record<PassFailure, number>>>;
  /** Deposits, by what was decided about them. */
  readonly decisions: Readonly<Record<DepositDecision, number>>;
  /** The last pass failed. */
  readonly failing: boolean;
  /** End of the last good pass; null: none yet. */
  readonly lastPassAt: Date | null;
}

const counters = new Map<string, WatchCounters>();

function updateCounters(
  { env, network }: NetworkScope,
  next: (counted: WatchCounters) => Partial<WatchCounters>,
): void {
  const key = `${env} ${network}`;
  const counted = counters.get(key) ?? {
    ...{ env, network, passes: 0, failures: {}, failing: false, lastPassAt: null },
    decisions: { credited: 0, held: 0, reversed: 0 },
  };
  counters.set(key, { ...counted, ...next(counted) });
}

export function countPass(scope: NetworkScope, now: Date): void {
  updateCounters(scope, ({ passes }) => ({ passes: passes + 1, failing: false, lastPassAt: now }));
}

export function countFailure(scope: NetworkScope, failure: PassFailure): void {
  updateCounters(scope, ({ failures }) => ({
    failures: { ...failures, [failure]: (failures[failure] ?? 0) + 1 },
    failing: true,
  }));
}

/** Once it is committed. */
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

/** The counters of every network that this process has watched. */
export function getWatchMetrics(): readonly WatchCounters[] {
  return [...counters.values()];
}
