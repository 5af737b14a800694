import type { ChainReader, NodeAnswer } from "./network.ts";
import { NodeError } from "./node-error.ts";
import type { NodePool } from "./node-pool.ts";

/**
 * The fate of a signed transaction. final: a node has it in a final block. dead: it is proven that no block can contain it (decideFate). open:
 * anything else.
 */
export type TransactionFate = "final" | "dead" | "open";

/**
 * The answer of one node about a transaction. known: it has it, not final, or may still be given it. absent: it has every block that could
 * contain it, and none does. unknown: it does not know it, and lacks such blocks.
 */
export type TransactionTrace = "final" | "known" | "absent" | "unknown";

/** Asks every node about a transaction: one that does not know it proves nothing alone. Throws NodeError if none answers. */
export async function fetchFate<Node extends ChainReader>(
  pool: Pick<NodePool<Node>, "askEach">,
  fetchTrace: (node: Node) => Promise<TransactionTrace>,
): Promise<TransactionFate> {
  const answers = await pool.askEach(fetchTrace);
  if (!answers.some(({ ok }) => ok))
    throw new NodeError("unreachable", "no node answered about a transaction");
  return decideFate(answers);
}

/** Dead: every node answers, none knows it, and one has every block that could contain it. A wrong "dead" could pay twice. */
export function decideFate(answers: readonly NodeAnswer<TransactionTrace>[]): TransactionFate {
  const says = (trace: TransactionTrace) => (answer: NodeAnswer<TransactionTrace>) =>
    answer.ok && answer.result === trace;
  if (answers.some(says("final"))) return "final";
  const isDenied = answers.every((answer) => answer.ok && answer.result !== "known");
  return isDenied && answers.some(says("absent")) ? "dead" : "open";
}
