import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

/** What a pool knows of one node's health. Times are milliseconds of one clock. */
export interface NodeHealth {
  /** Failures since it last did a piece of work whole. */
  readonly failures: number;
  /** It has failed and not answered since: used only when no other is left. */
  readonly broken: boolean;
  /** A broken node is not tried again before. */
  readonly retryAt: number;
  /** It asked us to send nothing before. */
  readonly limitedUntil: number;
  /** It stood lower than needed, or on another branch: others go first until then. */
  readonly deprioritizedUntil: number;
  /** The last height it told, and since when it has been telling that one. */
  readonly height: number | null;
  readonly heightSince: number;
}

export const UNKNOWN_HEALTH: NodeHealth = {
  failures: 0,
  broken: false,
  retryAt: 0,
  limitedUntil: 0,
  deprioritizedUntil: 0,
  height: null,
  heightSince: 0,
};

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A node that stands still for as long while another is higher lags. */
const LAG_MS = 20_000;
/** And one that is this much time's worth of blocks lower. */
const LAG_SECONDS = 60;
const LEAST_LAG_BLOCKS = 3;

/** Doubling from 1 s to a minute, of which a random part up to a half is left off. `random` is in [0, 1). */
export function computeRetryPauseMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(longest * (1 - random / 2));
}

/**
 * After a failure that counts. `retryAfterMs` is null unless the node limits our requests: 0 where it did not say for
 * how long. A Retry-After is kept to the millisecond at least, and up to a tenth more so that not all come back at once.
 */
export function applyFailure(
  health: NodeHealth,
  retryAfterMs: number | null,
  now: number,
  random: number,
): NodeHealth {
  const failures = health.failures + 1;
  const pause = computeRetryPauseMs(failures, random);
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  const limited = Math.max(pause, Math.ceil(asked * (1 + random / 10)));
  return {
    ...health,
    failures,
    broken: true,
    retryAt: now + (retryAfterMs === null ? pause : limited),
    limitedUntil: retryAfterMs === null ? health.limitedUntil : now + limited,
  };
}

/** It told its height, and so answers. Only work done whole makes its failures forgotten. */
export function applyHeight(health: NodeHealth, height: number, now: number): NodeHealth {
  const heightSince = height === health.height ? health.heightSince : now;
  return { ...health, broken: false, height, heightSince };
}

export function applySuccess(health: NodeHealth): NodeHealth {
  return { ...health, failures: 0, broken: false, retryAt: 0, deprioritizedUntil: 0 };
}

/** Is a node so far below the highest of the others, or standing still below it for so long, that it is of no use? */
export function isLagging(
  health: NodeHealth,
  others: readonly NodeHealth[],
  blockSeconds: number,
  now: number,
): boolean {
  const { height } = health;
  if (height === null) return false;
  const best = Math.max(...others.map((other) => (other.broken ? -1 : (other.height ?? -1))));
  const tolerated = Math.max(LEAST_LAG_BLOCKS, Math.ceil(LAG_SECONDS / blockSeconds));
  return best - height >= tolerated || (best > height && now - health.heightSince > LAG_MS);
}

/** Places in a list of nodes that is best first, each part in the order to be tried. */
export interface NodeOrder {
  readonly usable: readonly number[];
  /** For when none of the usable ones can do it. */
  readonly lagging: readonly number[];
  /** And for when no other can: those whose pause is over, or where all are broken the one whose is first. */
  readonly broken: readonly number[];
}

/** Which nodes to try: those set aside after the other usable ones, and none that limits us. */
export function orderNodes(nodes: readonly NodeHealth[], blockSeconds: number, now: number): NodeOrder {
  const allowed = nodes.flatMap((health, place) => (health.limitedUntil > now ? [] : [{ health, place }]));
  const places = (part: typeof allowed) => part.map(({ place }) => place);
  const [broken, working] = split(allowed, ({ health }) => health.broken);
  const soonest = broken.toSorted((a, b) => a.health.retryAt - b.health.retryAt);
  const due = soonest.filter(({ health }, i) => health.retryAt <= now || (i === 0 && working.length === 0));
  const [lagging, usable] = split(working, ({ health }) => isLagging(health, nodes, blockSeconds, now));
  const [aside, next] = split(usable, ({ health }) => health.deprioritizedUntil > now);
  return { usable: [...places(next), ...places(aside)], lagging: places(lagging), broken: places(due) };
}

function split<T>(all: readonly T[], first: (one: T) => boolean): [T[], T[]] {
  return [all.filter(first), all.filter((one) => !first(one))];
}

/** Calls that may be sent to a node: a bucket that fills by the time, and may be owed to. */
export interface CallBudget extends TokenBucket {
  /** Calls a second that it grants; Infinity for any number. */
  readonly granted: number;
  /** What is made use of: less for a while after the node said that it is too many. */
  readonly used: number;
  readonly slowedAt: number;
}

/** The part of a second's calls that may go at once: with it no second ever holds more than are granted. */
const BURST = 0.2;
/** Where the node set no limit that we know of and still says that it is one. */
const FIRST_LIMIT = 25;
const RECOVER_MS = 60_000;

export function openBudget(granted: number, now: number): CallBudget {
  return { granted, used: granted, tokens: granted * BURST, filledAt: now, slowedAt: now };
}

/** Calls that one request may hold. */
export function callsAtOnce({ used }: CallBudget): number {
  return Math.max(1, Math.floor(used * BURST));
}

/** Takes so many calls out of the budget; they may be sent after `waitMs`. */
export function spend(
  budget: CallBudget,
  calls: number,
  now: number,
): { budget: CallBudget; waitMs: number } {
  const { used, slowedAt } = recover(budget, now);
  if (used === Number.POSITIVE_INFINITY) return { budget: { ...budget, used, slowedAt }, waitMs: 0 };
  const perSecond = used * (1 - BURST);
  const tokens = refillBucket(budget, { capacity: used * BURST, perSecond }, now).tokens - calls;
  return {
    budget: { ...budget, used, slowedAt, tokens, filledAt: now },
    waitMs: tokens >= 0 ? 0 : Math.ceil((-tokens / perSecond) * 1_000),
  };
}

/** The node said that it was too many: half of it from now on. */
export function slowDown(budget: CallBudget, now: number): CallBudget {
  const used = Math.max(1, budget.used === Number.POSITIVE_INFINITY ? FIRST_LIMIT : budget.used / 2);
  const tokens = Math.min(used * BURST, budget.tokens);
  return { ...budget, used, tokens, filledAt: now, slowedAt: now };
}

/** Doubled for each minute without a word of it. */
function recover(
  { granted, used, slowedAt }: CallBudget,
  now: number,
): Pick<CallBudget, "used" | "slowedAt"> {
  if (used >= granted || now - slowedAt < RECOVER_MS) return { used, slowedAt };
  const doubled = used * 2;
  const unlimited = granted === Number.POSITIVE_INFINITY && doubled > 16 * FIRST_LIMIT;
  return { used: unlimited ? granted : Math.min(granted, doubled), slowedAt: now };
}
