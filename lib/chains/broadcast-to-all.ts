import type { ChainReader } from "./network.ts";
import type { NodePool } from "./node-pool.ts";

/** Broadcasts through every node. Throws what the best node says if none takes it. */
export async function broadcastToAll<R extends ChainReader>(
  pool: Pick<NodePool<R>, "use" | "askEachNode">,
  send: (node: R) => Promise<void>,
): Promise<void> {
  await pool.use(send);
  // The others make sure that a block producer hears of it. Their refusals say nothing: a node may have it already.
  await pool.askEachNode(send);
}
