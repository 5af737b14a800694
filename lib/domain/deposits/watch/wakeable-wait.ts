/** The wait of a loop for its next round. Activity ends it early. Activity during a round skips it. */
export function createWakeableWait(stopping: AbortSignal) {
  let isActive = false;
  let end = () => {};
  const wake = () => {
    isActive = true;
    end();
  };
  stopping.addEventListener("abort", wake, { once: true });
  return {
    wake,
    /** Returns whether activity ended it. */
    async untilActivity(ms: number): Promise<boolean> {
      if (!isActive) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasActive = isActive;
      isActive = false;
      return wasActive;
    },
  };
}
