import { listDueAttention } from "#lib/domain/attention/queries.ts";
import { clearAttention } from "#lib/domain/attention/set-aside.ts";
import { transactionSubject } from "../rules.ts";
import type { BlockRef, WatchContext } from "../types.ts";
import { scanTransfers } from "../watch/read-blocks.ts";
import { recordScan } from "./record-scan.ts";

/** Transactions that one pass reads again. Each costs the node a block. */
const MAX_RETRIES = 5;

/**
 * Reads the transactions again that were set aside and are due (recordScan). One whose block was replaced is removed from
 * the list: the watcher has read the block that replaced it. The cursor stays where it is. Throws NodeError.
 */
export async function retryTransactions(
  watch: WatchContext,
  cursor: BlockRef & { readonly nodeHeight: number },
): Promise<void> {
  const { db } = watch.database;
  const prefix = transactionSubject(watch);
  const at = { height: cursor.height, hash: cursor.hash };
  const due = await listDueAttention(db, prefix, watch.now(), MAX_RETRIES);
  // What is recorded must be in the cursor's branch: otherwise a later reorg would not find it.
  if (due.length === 0 || (await watch.adapter.fetchBlockHash(at.height)) !== at.hash) return;
  for (const { subject, height } of due) {
    const txHash = subject.slice(prefix.length);
    const found =
      height === null || height > at.height ? [] : (await scanTransfers(watch, height, height)).observations;
    const observations = found.filter((observation) => observation.txHash === txHash);
    if (observations.length === 0) {
      await clearAttention(db, [subject]);
      continue;
    }
    const { nodeHeight } = cursor;
    const scan = { from: at, to: at, fork: null, blocks: [], observations, nodeHeight, mempool: null };
    // Requested: were it left out as small, its entry would never be cleared.
    await recordScan(watch, { ...scan, requested: txHash }, new Set(), watch.now());
  }
}
