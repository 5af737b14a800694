/**
 * Repeats a statement that changes up to `atOnce` rows, until it finds fewer or `until` aborts. One statement for all of them would keep its
 * locks, and what it deleted, until it has read the last one. True if no row is left.
 */
export async function inRounds(
  atOnce: number,
  change: (limit: number) => Promise<number>,
  until?: AbortSignal,
): Promise<boolean> {
  for (;;) {
    if ((await change(atOnce)) < atOnce) return true;
    if (until?.aborted) return false;
  }
}
