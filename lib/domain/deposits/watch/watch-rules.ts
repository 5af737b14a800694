import { collectOutpoints } from "../rules.ts";
import type { TransferObservation } from "../types.ts";

/** The transfers of one transaction in the mempool, and which node showed it last. */
export interface MempoolEntry {
  readonly observations: readonly TransferObservation[];
  readonly node: string;
  readonly seenAt: Date;
}

/** How long a node's mempool entry counts when another node does not show it. Transactions spread within seconds. */
const TRUSTED_MS = 60_000;

/**
 * Returns everything that waits in the mempool, by transaction, after `node` showed `fresh`. Each node has its own
 * mempool. An entry of another node is kept for TRUSTED_MS, unless this node shows a transaction that replaces it.
 * `node` null: the mempool of the node in use was not read yet.
 */
export function mergeMempools(
  before: ReadonlyMap<string, MempoolEntry>,
  fresh: readonly TransferObservation[],
  node: string | null,
  now: Date,
): ReadonlyMap<string, MempoolEntry> {
  const spent = collectOutpoints(fresh);
  const merged = new Map<string, MempoolEntry>();
  for (const [txHash, observations] of Map.groupBy(fresh, (one) => one.txHash)) {
    if (node !== null) merged.set(txHash, { observations, node, seenAt: now });
  }
  for (const [txHash, entry] of before) {
    // The observations of an entry are of one transaction, so that they spend the same.
    const replaced = entry.observations[0]?.spends.some((outpoint) => spent.has(outpoint)) ?? false;
    const trusted = entry.node !== node && now.getTime() - entry.seenAt.getTime() < TRUSTED_MS;
    if (trusted && !replaced && !merged.has(txHash)) merged.set(txHash, entry);
  }
  return merged;
}

/** Identifies what a mempool contains, to detect changes. The order of the observations does not matter. */
export function mempoolKey(observations: readonly TransferObservation[]): string {
  return observations
    .map(({ txHash, position }) => `${txHash} ${position}`)
    .sort()
    .join();
}

/** Errors that end without a change, often in seconds: the node restarts, limits requests or catches up. */
const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "rate_limited",
  "behind",
  "stale",
  "inconsistent",
]);
const LONGEST_PASSING_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Returns the milliseconds to wait after this many failures of one kind in a row. The wait doubles from `pollMs` to 30
 * seconds, but only to 2 seconds where the error is `passing`, so can end at any time: the nodes' own pauses limit what is sent then.
 * `random` (0 to 1) adds jitter.
 */
export function retryDelay(
  { passing, failures }: { readonly passing: boolean; readonly failures: number },
  pollMs: number,
  random: number,
): number {
  const most = passing ? LONGEST_PASSING_MS : LONGEST_RETRY_MS;
  const longest = Math.min(most, pollMs * 2 ** Math.min(failures, 16));
  return Math.round(longest * (0.5 + random / 2));
}

/** A failed pass. */
export interface PassFailure {
  /** The kind of a node's error (node-error.ts), or another text for any other error. */
  readonly kind: string;
  /** The error says so, whatever its kind. */
  readonly isPassing: boolean;
  /** How many of this kind there were in a row. */
  readonly failures: number;
}

/**
 * Returns the milliseconds until the next pass after a failed one. `everyMs`: the time between two passes of a network that is read. A chain
 * that does not grow, perhaps for hours, is asked no more often than that: its nodes do not pause by themselves.
 */
export function pauseAfterFailure(
  { kind, isPassing, failures }: PassFailure,
  { pollMs, everyMs }: { readonly pollMs: number; readonly everyMs: number },
  random: number,
): number {
  const pause = retryDelay({ passing: isPassing || PASSING.has(kind), failures }, pollMs, random);
  return kind === "stale" ? Math.max(pause, everyMs) : pause;
}
