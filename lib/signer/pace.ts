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
