import type { ChainReader } from "./network.ts";
import type { NodePool } from "./node-pool.ts";
import type { Check } from "./sending.ts";

/** The answer of the best node whose answer passes `check`. After one that fails, the next node is asked. */
export const askChecked = <R extends ChainReader, T>(
  pool: Pick<NodePool<R>, "use">,
  ask: (node: R) => Promise<T>,
  check: Check<T> = () => {},
): Promise<T> =>
  pool.use(async (node) => {
    const answer = await ask(node);
    await check(answer);
    return answer;
  });
