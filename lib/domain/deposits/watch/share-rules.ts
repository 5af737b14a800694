/** A network that is free for so long is taken by any worker: the one whose share it is in may be frozen. */
export const LATE_MS = 1_000;
/** A worker that took such a network gives none up for so long. PostgreSQL has ended a frozen worker's session by then. */
export const REST_MS = 30_000;
/** A network whose passes have failed for so long is left to a worker whose nodes may answer. */
export const FAILING_MS = 30_000;
/** The worker then declines the network for so long. */
export const DECLINE_MS = 600_000;
/** A network that is free for so long is taken even by a worker that declines it. */
export const UNWANTED_MS = 5_000;

/** The workers that can watch the same networks, and who holds which network now. */
export interface Holdings {
  /** The session of this worker. */
  readonly own: number;
  /** The sessions of all these workers. */
  readonly workers: readonly number[];
  /** The session that holds each network. null: the network is free. A session of none of these workers may hold one, too. */
  readonly holders: ReadonlyMap<string, number | null>;
  /** The workers that decline a network. It is no part of the shares, and is held by one that does not decline it. */
  readonly declined: ReadonlyMap<string, ReadonlySet<number>>;
}

/** The networks that a worker watches and has not begun to give up, in the order in which it took them. */
export interface Watched {
  readonly names: readonly string[];
  /** The names of networks whose passes fail (isFailing). */
  readonly failing: ReadonlySet<string>;
}

/** The failed passes of a network since its last good one, and when the first of them failed. */
export interface FailedPasses {
  readonly passes: number;
  readonly since: number;
}

export const NONE_FAILED: FailedPasses = { passes: 0, since: 0 };

/**
 * Returns whether a network is left to others. One failed pass alone says nothing: a pause of FAILING_MS can follow it. But a network
 * that this worker has declined and still cannot read (`isUnread`) is left at once.
 */
export function isFailing(
  { passes, since, isUnread }: FailedPasses & { readonly isUnread: boolean },
  now: number,
): boolean {
  return isUnread ? passes > 0 : passes > 1 && now - since >= FAILING_MS;
}

/** The memory of a worker from one look at the database to the next one, in milliseconds of its own clock. */
export interface ShareMemory {
  readonly freeSince: ReadonlyMap<string, number>;
  readonly restsUntil: number;
  readonly declinesUntil: ReadonlyMap<string, number>;
}

export const NO_SHARE_MEMORY: ShareMemory = {
  freeSince: new Map(),
  restsUntil: 0,
  declinesUntil: new Map(),
};

export interface ShareDecision {
  /** Free networks to try, and how many of them to take at most. */
  readonly take: { readonly names: readonly string[]; readonly most: number };
  /** Free networks to try besides, which others decline. */
  readonly takeOver: readonly string[];
  /** Networks to decline, before they are given up. */
  readonly decline: readonly string[];
  /** Networks to decline no longer. */
  readonly accept: readonly string[];
  /** Networks to give up. */
  readonly leave: readonly string[];
  readonly memory: ShareMemory;
}

/**
 * Returns how many networks this worker should hold. The shares of all workers differ by one at most, and add up to all networks that
 * are free or theirs. The larger ones belong to the workers that hold most, so that as few networks as possible move. A worker that declines a
 * network keeps what it holds and gets no more: perhaps no node answers it.
 */
export function getShare(holdings: Holdings): number {
  const { own, declined } = holdings;
  const holders = listShared(holdings);
  const decliners = new Set([...declined.values()].flatMap((by) => [...by]));
  const able = holdings.workers.filter((worker) => !decliners.has(worker));
  const workers = able.length === 0 ? holdings.workers : able;
  if (!workers.includes(own)) return [...holders.values()].filter((holder) => holder === own).length;
  const held = countHeld(workers, holders);
  const outside = [...holders.values()].filter((holder) => holder !== null && !held.has(holder)).length;
  const shared = holders.size - outside;
  const place = [...held].sort(([a, x], [b, y]) => y - x || a - b).findIndex(([worker]) => worker === own);
  return Math.floor(shared / workers.length) + (place < shared % workers.length ? 1 : 0);
}

/** Lists the networks that nobody declines, with their holders. */
function listShared({ holders, declined }: Holdings): Holdings["holders"] {
  return new Map([...holders].filter(([name]) => (declined.get(name)?.size ?? 0) === 0));
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
 * Decides which networks a worker takes and gives up after a look. `now`: milliseconds of a clock that nobody sets back. It takes free networks up
 * to its share at once, and gives the last ones above its share up. A network that it cannot read, but another worker perhaps can, it declines.
 */
export function decideShare(
  holdings: Holdings,
  { names: watched, failing }: Watched,
  memory: ShareMemory,
  now: number,
): ShareDecision {
  const { own, workers, holders, declined } = holdings;
  const shared = listShared(holdings);
  const free = [...holders].flatMap(([name, holder]) => (holder === null ? [name] : []));
  const freeSince = new Map(free.map((name) => [name, memory.freeSince.get(name) ?? now]));
  const isFreeFor = (name: string, ms: number) => now - (freeSince.get(name) ?? now) >= ms;
  const freeShared = free.filter((name) => shared.has(name));
  const share = getShare(holdings);
  const missing = share - [...shared.values()].filter((holder) => holder === own).length;
  const late = freeShared.filter((name) => isFreeFor(name, LATE_MS));
  const takesLate = missing <= 0 && late.length > 0;
  const restsUntil = takesLate ? now + REST_MS : memory.restsUntil;
  const declines = (worker: number, name: string) => declined.get(name)?.has(worker) ?? false;
  const decline = watched.filter(
    (name) => failing.has(name) && workers.some((worker) => worker !== own && !declines(worker, name)),
  );
  const accept = [...memory.declinesUntil].flatMap(([name, until]) => (now >= until ? [name] : []));
  const declinesUntil = new Map(memory.declinesUntil);
  for (const name of accept) declinesUntil.delete(name);
  for (const name of decline) declinesUntil.set(name, now + DECLINE_MS);
  const above = now < restsUntil ? [] : watched.filter((name) => shared.has(name)).slice(share);
  return {
    take: takesLate ? { names: late, most: late.length } : { names: freeShared, most: Math.max(0, missing) },
    takeOver: free.filter(
      (name) => !shared.has(name) && (!declines(own, name) || isFreeFor(name, UNWANTED_MS)),
    ),
    // A lock that is taken twice would have to be released twice.
    decline: decline.filter((name) => !declines(own, name)),
    accept: accept.filter((name) => !decline.includes(name)),
    leave: [...new Set([...above, ...decline])],
    memory: { freeSince, restsUntil, declinesUntil },
  };
}
