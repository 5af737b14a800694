import { setTimeout as delay } from "node:timers/promises";
import { turnAll } from "./stepped-clock.ts";

/** One round counts as this long at most: a machine that stood still gave nobody the time to do anything. */
const LONGEST_ROUND_MS = 2_000;
/** After so many turns of the watchers it waits for something else. */
const QUICK_TURNS = 20;
let turning: Promise<boolean> | null = null;

/**
 * Asks until the answer is truthy, and returns it. Fails with `what` after the timeout. Never a bare sleep: between two
 * questions the loops with a stepped clock get a turn. The timeout is for what never happens: a machine with much else to
 * do may need a minute for what usually takes a second.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 120_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  let left = withinMs;
  for (let asked = 1; ; asked++) {
    const began = performance.now();
    const answer = await ask();
    if (answer) return answer;
    if (left < 0) throw new Error(`not within ${withinMs} ms: ${what}`);
    turning ??= turnAll().finally(() => {
      turning = null;
    });
    // A turn ends late if a node does not answer.
    const turned = await Promise.race([turning, delay(5 * everyMs)]);
    if (!turned || asked > QUICK_TURNS) await delay(everyMs);
    left -= Math.min(LONGEST_ROUND_MS, performance.now() - began);
  }
}
