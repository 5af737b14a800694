import type { Clock } from "#lib/platform/clock.ts";

/** The wait of a loop for its next round. Activity ends it early. Activity during a round skips it. */
export function createWakeableWait(stopping: AbortSignal, { sleep }: Pick<Clock, "sleep">) {
  let isActive = false;
  let waiting = new AbortController();
  const wake = () => {
    isActive = true;
    waiting.abort();
  };
  stopping.addEventListener("abort", wake, { once: true });
  return {
    wake,
    /** Returns whether activity ended it. */
    async untilActivity(ms: number): Promise<boolean> {
      if (!isActive) {
        waiting = new AbortController();
        await sleep(ms, waiting.signal);
      }
      const wasActive = isActive;
      isActive = false;
      return wasActive;
    },
  };
}
