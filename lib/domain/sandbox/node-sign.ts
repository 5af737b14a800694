import { NodeError } from "#lib/chains/network.ts";

/**
 * Do all of a network's nodes bear the sign of a development chain? A node that refuses the question is none. Throws
 * NodeError where one does not answer at all.
 */
export async function isOurs<Node>(
  nodes: readonly Node[],
  sign: (node: Node) => Promise<unknown>,
): Promise<boolean> {
  for (const node of nodes) {
    try {
      if (!(await sign(node))) return false;
    } catch (error) {
      if (error instanceof NodeError && (error.kind === "refused" || error.kind === "malformed"))
        return false;
      throw error;
    }
  }
  return nodes.length > 0;
}
