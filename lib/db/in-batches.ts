interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs what comes in while one batch is under way as the next batch, at most `most` together: many that wait for the
 * same locks share one transaction. `run` answers in the order of its items. When it fails, the whole batch has failed
 * and nothing is tried again: a connection cut at the commit does not tell what became of it.
 */
export function inBatches<In, Out>(
  most: number,
  run: (items: readonly In[]) => Promise<readonly Out[]>,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = false;

  async function runBatch(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await run(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(outs[i] as Out);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) await runBatch(waiting.splice(0, most));
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void drain();
    });
}
