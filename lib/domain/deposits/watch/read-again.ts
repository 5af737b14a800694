import type { BlockRange } from "#lib/chains/blocks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";
import { scanTransfers } from "./read-blocks.ts";

/**
 * Reads blocks at or below the cursor `at` again, from the node of the pass. If that does not serve them, another node of the
 * same branch may. Throws the NodeError of the first when none does.
 */
export async function readAgain(
  watch: WatchContext,
  { from, to }: BlockRange,
  at: BlockRef,
): Promise<readonly TransferObservation[]> {
  try {
    return (await scanTransfers(watch, from, to)).observations;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const answers = await watch.adapter.nodes.askEach(async (node) => {
      if ((await node.blocks.fetchHash(at.height)) !== at.hash) return null;
      const asked = { ...watch, adapter: { ...watch.adapter, ...node } };
      return (await scanTransfers(asked, from, to)).observations;
    });
    const found = answers.flatMap((answer) => (answer.ok && answer.result !== null ? [answer.result] : []));
    if (found[0] === undefined) throw error;
    return found[0];
  }
}
