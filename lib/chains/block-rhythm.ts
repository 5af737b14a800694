import type { NetworkData } from "./network-data.ts";

/** Milliseconds between two looks for a block that is due. */
export const DUE_MS = 400;
/** A look after a slow one begins this long after it. */
const SHORTEST_MS = 100;
/** A block that stays away for so many times the time of a block: a slot or two without one are usual. */
const LOST_AFTER = 2.5;

/** The blocks of a network with a rhythm, as one watcher sees them. Times are milliseconds since the epoch. */
export interface Rhythm {
  /** The newest block, and the look that found it. Null: there was none. */
  readonly newest: { readonly hash: string; readonly foundAt: number } | null;
  /**
   * Milliseconds from a block's own time until a node shows it, by our clock. Below zero where our clock is behind. Null: not known, because
   * no block has come between two looks that are DUE_MS apart.
   */
  readonly lagMs: number | null;
  /** The last look, DUE_MS ago, was for a block that had not come. */
  readonly isOverdue: boolean;
}

export const NO_RHYTHM: Rhythm = { newest: null, lagMs: null, isOverdue: false };

/** A look at the network. */
export interface Look {
  readonly startedAt: number;
  /** The newest block, and its own time. */
  readonly hash: string;
  readonly blockAt: number;
}

type Pace = Pick<NetworkData, "pollMs" | "blockSeconds" | "rhythm">;

/**
 * Returns what a look says of the rhythm, and when the next one begins: when the next block is due at the node, so that it is seen soon
 * without many looks. Each look that finds its block makes the next one a little earlier. One that comes too early is repeated every DUE_MS, and
 * that says when blocks come. A block that stays away is looked for every `pollMs`. No pause is longer than that or the time of a block.
 */
export function followRhythm(
  before: Rhythm,
  look: Look,
  data: Pace,
): { readonly rhythm: Rhythm; readonly nextAt: number } {
  const { startedAt, hash, blockAt } = look;
  const { pollMs, blockSeconds } = data;
  const blockMs = blockSeconds * 1_000;
  const longest = startedAt + Math.max(pollMs, blockMs);
  const bound = (at: number) => Math.min(Math.max(at, startedAt + SHORTEST_MS), longest);
  const dueAt = (lagMs: number | null) => (lagMs === null ? startedAt + DUE_MS : blockAt + blockMs + lagMs);
  if (before.newest === null || hash !== before.newest.hash) {
    const lagMs = learnLag(before, startedAt - blockAt, data);
    const rhythm = { newest: { hash, foundAt: startedAt }, lagMs, isOverdue: false };
    return { rhythm, nextAt: bound(dueAt(lagMs)) };
  }
  const { lagMs } = before;
  if (lagMs !== null && startedAt < dueAt(lagMs)) return { rhythm: before, nextAt: bound(dueAt(lagMs)) };
  const isLost = startedAt - before.newest.foundAt > LOST_AFTER * blockMs;
  return {
    rhythm: { ...before, lagMs: isLost ? null : lagMs, isOverdue: !isLost },
    nextAt: bound(startedAt + (isLost ? pollMs : DUE_MS)),
  };
}

function learnLag({ lagMs, isOverdue }: Rhythm, ageMs: number, { rhythm }: Pace): number | null {
  if (lagMs === null && !isOverdue) return null;
  return (isOverdue || lagMs === null ? ageMs : Math.min(lagMs, ageMs)) - (rhythm?.earlierMs ?? 0);
}

/** Returns the mean milliseconds between two looks while payments are expected. */
export function meanPauseMs({ pollMs, blockSeconds, rhythm }: Pace): number {
  if (rhythm === undefined) return pollMs;
  // Each block is looked for `earlierMs` earlier, and each look that is too early makes the next one DUE_MS later.
  return (blockSeconds * 1_000) / (1 + rhythm.earlierMs / DUE_MS);
}
