import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import { createLines } from "#lib/platform/lines.ts";

/**
 * Requests of one merchant and environment that allocate addresses at the same time. An account key's lock makes them
 * wait for each other anyway: one has it, one has prepared for it, and one is finishing.
 */
const MAX_RUNNING = 3;

/**
 * Makes the requests that allocate addresses wait in a line per merchant, in this process. All merchants share the
 * account keys and the connections to the database, so without lines a merchant would wait for all requests of another.
 */
export interface AllocationLines {
  /** Runs `work`, after earlier work of the same caller if too much of it is running. Rethrows its errors. */
  run<T>(caller: ApiCaller, work: () => Promise<T>): Promise<T>;
}

export function createAllocationLines(): AllocationLines {
  const lines = createLines(MAX_RUNNING);
  return { run: ({ merchant, env }, work) => lines.run(`${env} ${merchant.id}`, work) };
}
