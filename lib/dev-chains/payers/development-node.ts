import { NodeError } from "#lib/chains/node-error.ts";

/**
 * True if all nodes of a network are development nodes. A node that refuses the question is not one. Throws
 * NodeError if a node does not answer.
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
