import { recordScan } from "../record/record-scan.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import { filterOwn, observeOwn } from "./read-blocks.ts";

/**
 * Records the transfers in blocks up to the cursor that the node reported after their block was scanned. The cursor stays
 * where it is. Returns whether there were any: their confirmations must be counted. Throws NodeError.
 */
export async function recordLate(
  watch: WatchContext,
  cursor: BlockRef & { readonly nodeHeight: number },
): Promise<boolean> {
  const at = { height: cursor.height, hash: cursor.hash };
  const late = await watch.adapter.late?.list(at.height, filterOwn(watch));
  if (late === undefined) return false;
  if (late.transfers.length > 0) {
    // Recorded transfers must be in the cursor's branch: otherwise a later reorg would not find them.
    if ((await watch.adapter.blocks.fetchHash(at.height)) !== at.hash) return false;
    const observations = await observeOwn(watch, late.transfers);
    const { nodeHeight } = cursor;
    const scan = { from: at, to: at, fork: null, blocks: [], observations, nodeHeight, mempool: null };
    if ((await recordScan(watch, scan, new Set(), watch.now())) === null) return false;
  }
  late.done();
  return late.transfers.length > 0;
}
