import { setTimeout as delay } from "node:timers/promises";

/** One round counts as this long at most: a machine that stood still gave nobody the time to do anything. */
const LONGEST_ROUND_MS = 2_000;

/**
 * Asks until the answer is truthy, and returns it. Fails with `what` after the timeout. Never a bare sleep. The timeout is
 * for what never happens: a machine with much else to do may need a minute for what usually takes a second.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 120_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  for (let left = withinMs; ; ) {
    const began = performance.now();
    const answer = await ask();
    if (answer) return answer;
    if (left < 0) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
    left -= Math.min(LONGEST_ROUND_MS, performance.now() - began);
  }
}
