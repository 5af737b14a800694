import { setImmediate as endOfTurn } from "node:timers/promises";

interface WaitingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds after which a batch no longer holds back the next one. Few batches of a quick database take as long. */
const PATIENCE_MS = 10;

/**
 * Runs the items of one turn of the event loop as one batch, so that they share one statement, or one transaction and
 * its locks. Items that arrive while a batch runs form the next batch. It starts when the one before has ended: larger batches are quicker than
 * more at a time. While a batch waits for a lock or a lost connection, others pass it: up to `concurrency` run at once where each of them
 * takes longer than 10 ms, or where the next one is full. A batch has at most `maxSize` items.
 * `run` returns one result per item, in order. If `run` throws, all items of the batch fail. There is no retry: if the
 * connection is lost at the commit, nobody knows whether the batch was written.
 */
export function createBatcher<In, Out>(
  { maxSize, concurrency }: { readonly maxSize: number; readonly concurrency: number },
  run: (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
): (item: In) => Promise<Out> {
  const waiting: WaitingItem<In, Out>[] = [];
  let running = 0;
  /** Running batches that hold back the next one. */
  let young = 0;
  const isNextDue = () => young === 0 || waiting.length >= maxSize;

  /** Runs a batch. Returns what settles its items. */
  async function runBatch(batch: readonly WaitingItem<In, Out>[]): Promise<() => void> {
    const endYouth = holdNext();
    try {
      const outs = await run(batch.map(({ item }) => item));
      return () => {
        for (const [i, { resolve }] of batch.entries()) resolve(outs[i] as Out | Promise<Out>);
      };
    } catch (error) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    } finally {
      endYouth();
    }
  }

  /** Holds back the next batch until the returned function is called, or for PATIENCE_MS. */
  function holdNext(): () => void {
    young += 1;
    let isYoung = true;
    const timer = setTimeout(() => {
      young -= 1;
      isYoung = false;
      startIfDue();
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      if (isYoung) young -= 1;
    };
  }

  async function drain(): Promise<void> {
    running += 1;
    young += 1;
    // More items of this turn can still arrive.
    await endOfTurn();
    young -= 1;
    while (waiting.length > 0 && isNextDue()) {
      const settle = await runBatch(waiting.splice(0, maxSize));
      // The statement of the next batch is sent first: the driver sends in a tick too. The database works while this process answers.
      process.nextTick(settle);
    }
    running -= 1;
  }

  function startIfDue(): void {
    if (waiting.length > 0 && running < concurrency && isNextDue()) void drain();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      startIfDue();
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
