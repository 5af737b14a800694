import type { ChainReader } from "./network.ts";
import type { NodePool } from "./node-pool.ts";
import type { Questions } from "./pool-capability.ts";
import type { Check, Sending } from "./sending.ts";

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
      // The others make sure that a block producer hears of it. Their refusals say nothing: a node may have it already.
      await pool.askEach(send);
    },
  };
}

/** The answer of a node if it passes `check`. After one that fails, the pool asks the next node. */
export async function checkAnswer<T>(asked: Promise<T>, check: Check<T> = () => {}): Promise<T> {
  const answer = await asked;
  await check(answer);
  return answer;
}
