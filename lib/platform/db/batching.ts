import { setImmediate as endOfTurn } from "node:timers/promises";

interface WaitingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the items of one turn of the event loop as one batch, so that they share one statement, or one transaction and
 * its locks. Items that arrive while `concurrency` batches run form the next batch. A batch has at most `maxSize` items.
 * `run` returns one result per item, in order. If `run` throws, all items of the batch fail. There is no retry: if the
 * connection is lost at the commit, nobody knows whether the batch was written.
 */
export function createBatcher<In, Out>(
  { maxSize, concurrency }: { readonly maxSize: number; readonly concurrency: number },
  run: (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
): (item: In) => Promise<Out> {
  const waiting: WaitingItem<In, Out>[] = [];
  let running = 0;

  /** Runs a batch. Returns what settles its items. */
  async function runBatch(batch: readonly WaitingItem<In, Out>[]): Promise<() => void> {
    try {
      const outs = await run(batch.map(({ item }) => item));
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(outs[i] as Out | Promise<Out>);
      };
    } catch (error) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
  }

  async function drain(): Promise<void> {
    running += 1;
    // More items of this turn can still arrive.
    await endOfTurn();
    while (waiting.length > 0) {
      const settle = await runBatch(waiting.splice(0, maxSize));
      // The statement of the next batch is sent first: the driver sends in a tick too. The database works while this process answers.
      process.nextTick(settle);
    }
    running -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < concurrency) void drain();
    });
}

/**
 * Joins the calls for one key in one turn of the event loop into a single query, which starts when the turn ends. The
 * query never starts before a caller's call, so no caller gets an outdated answer.
 */
export function coalescePerTurn<T>(query: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const joined = waiting.get(key);
    if (joined !== undefined) return joined;
    const answer = endOfTurn().then(() => {
      waiting.delete(key);
      return query(key);
    });
    waiting.set(key, answer);
    return answer;
  };
}
