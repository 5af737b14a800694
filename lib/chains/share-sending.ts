import { setTimeout } from "node:timers/promises";
import type { ChainReader } from "./network.ts";
import type { NodePool } from "./node-pool.ts";
import type { Questions } from "./pool-capability.ts";
import type { Check, Sending } from "./sending.ts";

/** Milliseconds that a broadcast waits for the other nodes after one has accepted it. */
const OTHERS_MS = 1_000;

/**
 * The signer's requests to the nodes of a network, as the pool shares any capability. Only a broadcast goes to every node. It throws if
 * none takes it.
 */
export function shareSending<Node extends ChainReader, C extends Questions<C> & Pick<Sending, "broadcast">>(
  pool: NodePool<Node>,
  pick: (node: Node) => C,
): C {
  return {
    ...pool.share(pick),
    async broadcast(raw: string) {
      const send = (node: Node) => pick(node).broadcast(raw);
      await pool.use(send);
      // The others make sure that a block producer hears of it, also one that failed before: the node that took it may tell nobody.
      // Their refusals say nothing, as a node may have it already. A silent node would delay each payout by its whole timeout.
      await Promise.race([pool.askEach(send), setTimeout(OTHERS_MS, undefined, { ref: false })]);
    },
  };
}

/** The answer of a node if it passes `check`. After one that fails, the pool asks the next node. */
export async function checkAnswer<T>(asked: Promise<T>, check: Check<T> = () => {}): Promise<T> {
  const answer = await asked;
  await check(answer);
  return answer;
}
