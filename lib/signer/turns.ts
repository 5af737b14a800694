/** The most transactions that nodes are asked to prepare in one step, and the time until they are asked again about one withdrawal. */
const MOST_ASKED = 32;
const ASK_AGAIN_MS = 30_000;

/** The turns of one step. */
export interface Turns {
  /** Whether nodes were not asked about a withdrawal for a while. */
  isDue(refid: string): boolean;
  /** Takes a turn for withdrawals that one transaction may pay. false: this step has no more turns. */
  take(refids: readonly string[]): boolean;
  /** Called when every withdrawal that was due had its turn. */
  end(): void;
}

/**
 * Gives each withdrawal its turn to ask nodes, whatever waits before it. Returns what each step calls for its own turns. No withdrawal has
 * its second turn before each had its first, however long that takes, and also if questions about some of them fail.
 */
export function openTurns(now: () => Date): () => Turns {
  let askedAt = new Map<string, number>();
  let hasEnded = true;
  return () => {
    const at = now().getTime();
    if (hasEnded) askedAt = new Map([...askedAt].filter(([, before]) => at - before < ASK_AGAIN_MS));
    hasEnded = false;
    let left = MOST_ASKED;
    return {
      isDue: (refid) => !askedAt.has(refid),
      take(refids) {
        if (left === 0) return false;
        left -= 1;
        for (const refid of refids) askedAt.set(refid, at);
        return true;
      },
      end() {
        hasEnded = true;
      },
    };
  };
}

/** Whether something was not done for a while. */
export function openPace(now: () => Date) {
  let doneAt = Number.NEGATIVE_INFINITY;
  return {
    isDue: (everyMs: number) => now().getTime() - doneAt >= everyMs,
    take: () => {
      doneAt = now().getTime();
    },
  };
}
