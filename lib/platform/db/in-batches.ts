import { setImmediate as endOfTurn } from "node:timers/promises";

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs together what comes in during one turn of the event loop, and what comes in while `abreast` batches are under way
 * as the next one, at most `most` items each: many share one statement, or one transaction and its locks. `run` answers
 * in the order of its items. When it fails, the whole batch has failed and nothing is tried again: a connection cut at
 * the commit does not tell what became of it.
 */
export function createBatcher<In, Out>(
  { most, abreast }: { readonly most: number; readonly abreast: number },
  run: (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
): (item: In) => Promise<Out> {
  const waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function runBatch(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await run(batch.map(({ item }) => item));
      for (const [i, { resolve }] of batch.entries()) resolve(outs[i] as Out | Promise<Out>);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function drain(): Promise<void> {
    running += 1;
    // Others of this turn are on their way.
    await endOfTurn();
    while (waiting.length > 0) await runBatch(waiting.splice(0, most));
    running -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < abreast) void drain();
    });
}
