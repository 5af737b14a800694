import type { NodeErrorKind } from "#lib/chains/network.ts";
import type { Scope } from "./types.ts";

/** Why a pass failed: what its nodes did, or something of ours (a database that is away, a fault in the program). */
export type PassFailure = NodeErrorKind | "internal";

/** What a pass or a requery decides about a deposit. */
export type Decision = "credited" | "held" | "reversed";

/** What the watcher of one network has done since this process started. */
export interface WatchCounters extends Scope {
  readonly passes: number;
  readonly failures: Readonly<Partial<Record<PassFailure, number>>>;
  /** Deposits, by what was decided about them. */
  readonly decided: Readonly<Record<Decision, number>>;
  /** The last pass failed. */
  readonly failing: boolean;
  /** End of the last good pass; null: none yet. */
  readonly lastPassAt: Date | null;
}

const counters = new Map<string, WatchCounters>();

function change({ env, network }: Scope, next: (counted: WatchCounters) => Partial<WatchCounters>): void {
  const key = `${env} ${network}`;
  const counted = counters.get(key) ?? {
    ...{ env, network, passes: 0, failures: {}, failing: false, lastPassAt: null },
    decided: { credited: 0, held: 0, reversed: 0 },
  };
  counters.set(key, { ...counted, ...next(counted) });
}

export function countPass(scope: Scope, now: Date): void {
  change(scope, ({ passes }) => ({ passes: passes + 1, failing: false, lastPassAt: now }));
}

export function countFailure(scope: Scope, failure: PassFailure): void {
  change(scope, ({ failures }) => ({
    failures: { ...failures, [failure]: (failures[failure] ?? 0) + 1 },
    failing: true,
  }));
}

/** Once it is committed. */
export function countDeposits(scope: Scope, deposits: Readonly<Partial<Record<Decision, number>>>): void {
  change(scope, ({ decided }) => ({
    decided: {
      credited: decided.credited + (deposits.credited ?? 0),
      held: decided.held + (deposits.held ?? 0),
      reversed: decided.reversed + (deposits.reversed ?? 0),
    },
  }));
}

/** The counters of every network that this process has watched. */
export function watchMetrics(): readonly WatchCounters[] {
  return [...counters.values()];
}
