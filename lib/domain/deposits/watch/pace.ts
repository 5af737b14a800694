import { followRhythm, NO_RHYTHM } from "#lib/chains/block-rhythm.ts";
import { findCursor } from "../record/cursor-store.ts";
import type { WatchContext } from "../types.ts";
import { hasBegun, isPaymentExpected } from "./expected-queries.ts";
import type { PassMemory } from "./pass-rules.ts";
import type { createWakeableWait } from "./wakeable-wait.ts";

/** How often the database is asked, while the network is idle, whether something has begun. */
const ASK_MS = 1_000;
/** An address of a wallet is expected to be paid this long after it was allocated or paid. */
const EXPECTED_MS = 24 * 3_600_000;
/** Covers transactions that commit late and clocks that differ. */
const BEGUN_MS = 60_000;

/** The start of a pass that has ended, and the newest block that it read. */
interface LastPass extends Pick<PassMemory, "newest"> {
  readonly startedAt: Date;
}

/** How often a network is read: slowly while it is idle, that is while no payment is expected. */
export interface Pace {
  /** Milliseconds between two looks at the network now. */
  everyMs(): number;
  /** No payment is expected. False before the first look, and where networks are always read at full speed. */
  isIdle(): boolean;
  /**
   * Waits until the next pass, or until activity. Ends within ASK_MS after something began on an idle network. Throws a
   * database error.
   */
  untilNextPass(wait: ReturnType<typeof createWakeableWait>, pass: LastPass): Promise<void>;
}

/** Returns the pace of a network that was not idle until now. Calls `onBegun` when an idle network is idle no longer. */
export function createPace(watch: WatchContext, isHeld: () => boolean, onBegun: () => void): Pace {
  const { pollMs, idleMs = 0 } = watch.adapter.data;
  const { db } = watch.database;
  let isIdle = false;
  let askedAt = 0;
  let rhythm = NO_RHYTHM;

  const untilNextLook = ({ startedAt, newest }: LastPass): number => {
    const { data } = watch.adapter;
    if (data.rhythm === undefined || newest?.time == null) return pollMs;
    const look = { startedAt: startedAt.getTime(), hash: newest.hash, blockAt: newest.time.getTime() };
    const next = followRhythm(rhythm, look, data);
    rhythm = next.rhythm;
    return Math.max(0, next.nextAt - watch.now().getTime());
  };

  // Reads more than hasBegun, so it is asked no more often than an idle network is read.
  const decide = async () => {
    const now = watch.now().getTime();
    if (now - askedAt < idleMs) return;
    askedAt = now;
    const since = new Date(now - EXPECTED_MS);
    const height = (await findCursor(db, watch))?.height ?? 0;
    const sinceHeight = height - Math.ceil(EXPECTED_MS / 1_000 / watch.adapter.data.blockSeconds);
    const wasIdle = isIdle;
    isIdle = !(await isPaymentExpected(db, watch, { since, sinceHeight }));
    if (wasIdle && !isIdle) onBegun();
  };

  return {
    isIdle: () => isIdle,
    everyMs: () => (isIdle ? Math.max(pollMs, idleMs) : pollMs),
    async untilNextPass(wait, pass) {
      if (idleMs > pollMs) await decide();
      if (!isIdle) return void (await wait.untilActivity(untilNextLook(pass)));
      for (let waited = 0; waited < idleMs && isHeld(); waited += ASK_MS) {
        if (await wait.untilActivity(ASK_MS)) return;
        const now = watch.now().getTime();
        if (!(await hasBegun(db, watch, new Date(now - BEGUN_MS)))) continue;
        isIdle = false;
        askedAt = now;
        return onBegun();
      }
    },
  };
}
