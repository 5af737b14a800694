import type { ApiCaller } from "#lib/domain/merchants/types.ts";

/**
 * Makes requests with the same idempotency key wait in a line, in this process. Each holds a connection to the database while it runs, and would
 * hold one while it waits for the row of its key: repeats of one slow request would take the connections of all others.
 */
export interface KeyLines {
  /** Runs `work` after earlier work of the same caller and key. Resolves to null if that has not ended after `waitMs`. Rethrows errors of `work`. */
  run<T>(
    { caller, key, waitMs }: { readonly caller: ApiCaller; readonly key: string; readonly waitMs: number },
    work: () => Promise<T>,
  ): Promise<T | null>;
}

export function createKeyLines(): KeyLines {
  /** The end of each line. */
  const lines = new Map<string, Promise<void>>();
  return {
    async run({ caller: { merchant, env }, key, waitMs }, work) {
      const name = `${env} ${merchant.id} ${key}`;
      const before = lines.get(name);
      const own = Promise.withResolvers<void>();
      // Also one that gave up keeps its place: the next one waits for the same work.
      const end = Promise.all([before, own.promise]).then(() => {});
      lines.set(name, end);
      void end.then(() => lines.get(name) === end && lines.delete(name));
      try {
        if (before !== undefined && !(await endsWithin(before, waitMs))) return null;
        return await work();
      } finally {
        own.resolve();
      }
    },
  };
}

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), ms);
  const inTime = await Promise.race([work.then(() => true), late.promise]);
  clearTimeout(timer);
  return inTime;
}
