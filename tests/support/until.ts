import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks until the answer is truthy, and returns it. Fails with `what` after the timeout. Never a bare sleep. The timeout is
 * for what never happens: a machine with much else to do may need a minute for what usually takes a second.
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = 120_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
}
