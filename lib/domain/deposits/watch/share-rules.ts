/** A network that is free for so long is taken by any worker: the one whose share it is in may be frozen. */
export const LATE_MS = 1_000;
/** A worker that took such a network gives none up for so long. PostgreSQL has ended a frozen worker's session by then. */
export const REST_MS = 30_000;

/** The workers that can watch the same networks, and who holds which network now. */
export interface Holdings {
  /** The session of this worker. */
  readonly own: number;
  /** The sessions of all these workers. */
  readonly workers: readonly number[];
  /** The session that holds each network. null: the network is free. A session of none of these workers may hold one, too. */
  readonly holders: ReadonlyMap<string, number | null>;
}

/** The memory of a worker from one look at the database to the next one, in milliseconds of its own clock. */
export interface ShareMemory {
  readonly freeSince: ReadonlyMap<string, number>;
  readonly restsUntil: number;
}

export const NO_SHARE_MEMORY: ShareMemory = { freeSince: new Map(), restsUntil: 0 };

export interface ShareDecision {
  /** Free networks to try, and how many of them to take at most. */
  readonly take: { readonly names: readonly string[]; readonly most: number };
  /** Networks to give up. */
  readonly leave: readonly string[];
  readonly memory: ShareMemory;
}

/**
 * Returns how many networks this worker should hold. The shares of all workers differ by one at most, and add up to all networks that
 * are free or theirs. The larger ones belong to the workers that hold most, so that as few networks as possible move.
 */
export function getShare({ own, workers, holders }: Holdings): number {
  const held = countHeld(workers, holders);
  const outside = [...holders.values()].filter((holder) => holder !== null && !held.has(holder)).length;
  const shared = holders.size - outside;
  const place = [...held].sort(([a, x], [b, y]) => y - x || a - b).findIndex(([worker]) => worker === own);
  return Math.floor(shared / workers.length) + (place < shared % workers.length ? 1 : 0);
}

function countHeld(workers: readonly number[], holders: Holdings["holders"]): Map<number, number> {
  const held = new Map(workers.map((worker) => [worker, 0]));
  for (const holder of holders.values()) {
    const count = holder === null ? undefined : held.get(holder);
    if (holder !== null && count !== undefined) held.set(holder, count + 1);
  }
  return held;
}

/**
 * Decides which networks a worker takes and gives up after a look. `watched`: the networks that it watches and has not begun to give
 * up, in the order in which it took them. `now`: milliseconds of a clock that nobody sets back. It takes free networks up to its share at once,
 * and gives the last ones above its share up.
 */
export function decideShare(
  holdings: Holdings,
  watched: readonly string[],
  memory: ShareMemory,
  now: number,
): ShareDecision {
  const { own, holders } = holdings;
  const free = [...holders].flatMap(([name, holder]) => (holder === null ? [name] : []));
  const freeSince = new Map(free.map((name) => [name, memory.freeSince.get(name) ?? now]));
  const share = getShare(holdings);
  const missing = share - [...holders.values()].filter((holder) => holder === own).length;
  const late = free.filter((name) => now - (freeSince.get(name) ?? now) >= LATE_MS);
  const takesLate = missing <= 0 && late.length > 0;
  const restsUntil = takesLate ? now + REST_MS : memory.restsUntil;
  return {
    take: takesLate ? { names: late, most: late.length } : { names: free, most: Math.max(0, missing) },
    leave: now < restsUntil ? [] : watched.slice(share),
    memory: { freeSince, restsUntil },
  };
}
