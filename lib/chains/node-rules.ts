import { refillBucket, type TokenBucket } from "#lib/platform/token-bucket.ts";

/** The health of one node. Times are milliseconds of one clock. */
export interface NodeHealth {
  /** Failures since it last completed some work. */
  readonly failures: number;
  /** It failed and has not answered since. Used only when no other node is left. */
  readonly broken: boolean;
  /** A broken node is not tried before this time. */
  readonly retryAt: number;
  /** It asked us to send nothing before this time. */
  readonly limitedUntil: number;
  /** It was behind or on another branch. Other nodes are preferred until this time. */
  readonly deprioritizedUntil: number;
  /** The last height it reported, and since when it has reported that height. */
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

/**
 * The node that a caller read from last, and the block that it has. The pool notes each node that it compares or uses, and
 * the caller notes a block that it has read. So the node is compared again with a block of anyone else.
 */
export interface LastRead {
  node: object | null;
  /** Null: the node was not compared. */
  hash: string | null;
}

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** The longest pause of a node that limits our requests and names no time, while no other node works. */
const LONGEST_UNNAMED_LIMIT_MS = 2_500;
/** A node lags when its height has not changed for this long while another node is higher. */
const LAG_MS = 20_000;
/** A node also lags when it is this many seconds of blocks lower. */
const LAG_SECONDS = 60;
const LEAST_LAG_BLOCKS = 3;

/** Doubles from 1 s to a minute, minus a random part of up to a half. `random` is in [0, 1). */
export function computeRetryPauseMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(longest * (1 - random / 2));
}

/**
 * Applies a failure that counts. `retryAfterMs` is null unless the node limits our requests, and 0 where it
 * gave no time. A Retry-After is extended by up to a tenth, so that clients do not all return at once. Without
 * one, only the use of other nodes may make the pause long: a network's only node is asked every few seconds.
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
  const extended = Math.ceil(asked * (1 + random / 10));
  const limited = Math.max(Math.min(pause, LONGEST_UNNAMED_LIMIT_MS), extended);
  return {
    ...health,
    failures,
    broken: true,
    retryAt: now + Math.max(pause, extended),
    limitedUntil: retryAfterMs === null ? health.limitedUntil : now + limited,
  };
}

/** The node reported its height, so it answers. Only completed work resets its failures. */
export function applyHeight(health: NodeHealth, height: number, now: number): NodeHealth {
  const heightSince = height === health.height ? health.heightSince : now;
  return { ...health, broken: false, height, heightSince };
}

export function applySuccess(health: NodeHealth): NodeHealth {
  return { ...health, failures: 0, broken: false, retryAt: 0, deprioritizedUntil: 0 };
}

/** Returns whether the node is too far below the highest other node, or has been below it for too long. */
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

/** Indexes into a list of nodes that is best first. Each part is in the order to try. */
export interface NodeOrder {
  readonly usable: readonly number[];
  /** Tried when no usable node can do the work. */
  readonly lagging: readonly number[];
  /** Tried last: nodes whose pause is over. If all are broken: the one whose pause ends first. */
  readonly broken: readonly number[];
}

/**
 * Orders the nodes to try. Deprioritized nodes come after the other usable ones. Rate-limited nodes are left
 * out.
 */
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

/** The calls that may be sent to a node. A token bucket that can go below 0. */
export interface CallBudget extends TokenBucket {
  /** Calls a second that the node allows. Infinity: no limit. */
  readonly granted: number;
  /** Calls a second at `slowedAt`. Lower after the node reported too many requests. */
  readonly used: number;
  readonly slowedAt: number;
  /** How long to wait before the rate is doubled again. */
  readonly recoverMs: number;
  /** The node took a request since the rate was halved. */
  readonly accepted: boolean;
}

/**
 * The part of a second's calls that may be sent at once. With it, no second holds more calls than the node
 * allows.
 */
const BURST = 0.2;
/** First limit for a node without a configured limit that reports too many requests. */
const FIRST_LIMIT = 25;
/** The rate is halved at most once in this time: requests that were under way say nothing new. */
const SLOW_WINDOW_MS = 1_000;
/** Doubled up to LONGEST_RECOVER_MS while reports come soon after the rate had grown. */
const RECOVER_MS = 2_000;
const LONGEST_RECOVER_MS = 60_000;

export function openBudget(granted: number, now: number): CallBudget {
  return {
    granted,
    used: granted,
    tokens: granted * BURST,
    filledAt: now,
    slowedAt: Number.NEGATIVE_INFINITY,
    recoverMs: RECOVER_MS,
    accepted: true,
  };
}

/** Calls that one request may hold. `share`: the part of the rate that may be used. */
export function callsAtOnce(budget: CallBudget, now: number, share = 1): number {
  const used = rateNow(budget, now);
  return Math.max(1, Math.floor(used * BURST * share));
}

/** Takes calls out of the budget. They may be sent after `waitMs`. */
export function spend(
  budget: CallBudget,
  calls: number,
  now: number,
): { budget: CallBudget; waitMs: number } {
  const used = rateNow(budget, now);
  if (used === Number.POSITIVE_INFINITY) return { budget, waitMs: 0 };
  const perSecond = used * (1 - BURST);
  const tokens = refillBucket(budget, { capacity: used * BURST, perSecond }, now).tokens - calls;
  return {
    budget: { ...budget, tokens, filledAt: now },
    waitMs: tokens >= 0 ? 0 : Math.ceil((-tokens / perSecond) * 1_000),
  };
}

/** The calls of a part of the budget. */
export function openShare(now: number): TokenBucket {
  return { tokens: 0, filledAt: now };
}

/**
 * Takes calls out of a part (`share`, above 0 and below 1) of the budget's rate. They may be sent after
 * `waitMs`, and then count in the whole budget too (see spend).
 */
export function spendShare(
  { bucket, share }: { readonly bucket: TokenBucket; readonly share: number },
  budget: CallBudget,
  calls: number,
  now: number,
): { bucket: TokenBucket; waitMs: number } {
  const used = rateNow(budget, now);
  if (used === Number.POSITIVE_INFINITY) return { bucket: openShare(now), waitMs: 0 };
  const perSecond = used * (1 - BURST) * share;
  const tokens = refillBucket(bucket, { capacity: used * BURST * share, perSecond }, now).tokens - calls;
  return { bucket: { tokens, filledAt: now }, waitMs: tokens >= 0 ? 0 : (-tokens / perSecond) * 1_000 };
}

/** Records that the node took a request. */
export function accept(budget: CallBudget): CallBudget {
  return budget.accepted ? budget : { ...budget, accepted: true };
}

/**
 * Halves the rate after the node reported too many requests. Once until it takes a request again: while it
 * refuses everything, another rate would change nothing, and the network would stay slow when that ends.
 */
export function slowDown(budget: CallBudget, now: number): CallBudget {
  const sinceMs = now - budget.slowedAt;
  if (!budget.accepted || sinceMs < SLOW_WINDOW_MS) return budget;
  const before = rateNow(budget, now);
  const used = Math.max(1, before === Number.POSITIVE_INFINITY ? FIRST_LIMIT : before / 2);
  const recoverMs =
    sinceMs < 8 * budget.recoverMs ? Math.min(LONGEST_RECOVER_MS, 2 * budget.recoverMs) : RECOVER_MS;
  const tokens = Math.min(used * BURST, budget.tokens);
  return { ...budget, used, tokens, filledAt: now, slowedAt: now, recoverMs, accepted: false };
}

/** The rate now: doubled for each `recoverMs` without such a report. */
function rateNow({ granted, used, slowedAt, recoverMs }: CallBudget, now: number): number {
  const doubled = used * 2 ** Math.min(60, Math.max(0, Math.floor((now - slowedAt) / recoverMs)));
  const unlimited = granted === Number.POSITIVE_INFINITY && doubled > 16 * FIRST_LIMIT;
  return unlimited ? granted : Math.min(granted, doubled);
}
