import { listDueAttention } from "#lib/domain/attention/queries.ts";
import { clearAttention, isNodeFaultOfUnit, logSetAside, setAside } from "#lib/domain/attention/set-aside.ts";
import { lockCursor } from "../record/cursor-store.ts";
import { recordScan } from "../record/record-scan.ts";
import { transactionSubject } from "../rules.ts";
import type { BlockRef, TransferObservation, WatchContext } from "../types.ts";
import { readAgain } from "./read-again.ts";

/** Transactions that one pass reads again. Each costs the node a block. */
const MAX_RETRIES = 5;

interface RetryOptions {
  /** The block of the cursor. */
  readonly at: BlockRef;
  readonly nodeHeight: number;
  /** The transfers that wait in the mempool, when `at` is the head. Null: they are not known. */
  readonly waiting: readonly TransferObservation[] | null;
}

/**
 * Records the transactions again that were set aside and are due (recordScan): from their block, or from the mempool. A
 * transaction that is in neither any more is removed from the list: the watcher reads the block that holds it now. One above the cursor
 * waits until the cursor is there. The cursor stays where it is. A block that no node serves is that transaction's trouble: it is tried again
 * later, and the pass continues. Returns whether any was recorded: its confirmations must be counted. Throws NodeError when the node answers nothing else, too.
 */
export async function retryTransactions(
  watch: WatchContext,
  { at, nodeHeight, waiting }: RetryOptions,
): Promise<boolean> {
  const { db } = watch.database;
  const prefix = transactionSubject(watch);
  // A process that read further sets aside what is above this cursor.
  const limits = { limit: MAX_RETRIES, upTo: at.height, waiting: waiting !== null };
  const due = await listDueAttention(db, prefix, { now: watch.now(), ...limits });
  // Recorded transfers must be in the cursor's branch: otherwise a later reorg would not find them.
  if (due.length === 0 || (await watch.adapter.blocks.fetchHash(at.height)) !== at.hash) return false;
  let isRecorded = false;
  for (const { subject, height } of due) {
    const row = { subject, height, txHash: subject.slice(prefix.length) };
    try {
      if (await retryTransaction(watch, row, { at, nodeHeight, waiting })) isRecorded = true;
    } catch (error) {
      if (!(await isNodeFaultOfUnit(error, watch.adapter))) throw error;
      logSetAside(watch.log, [await setAside(db, row, error, watch.now())]);
    }
  }
  return isRecorded;
}

interface RetriedRow {
  readonly subject: string;
  readonly height: number | null;
  readonly txHash: string;
}

async function retryTransaction(
  watch: WatchContext,
  { subject, height, txHash }: RetriedRow,
  { at, nodeHeight, waiting }: RetryOptions,
): Promise<boolean> {
  const isIt = (observation: TransferObservation) => observation.txHash === txHash;
  const found = height === null ? [] : await readAgain(watch, { from: height, to: height }, at);
  const observations = found.filter(isIt);
  const stillWaiting = height === null ? (waiting ?? []).filter(isIt) : [];
  if (observations.length + stillWaiting.length === 0) {
    await watch.database.db.transaction(async (tx) => {
      if (await lockCursor(tx, watch, at)) await clearAttention(tx, [subject]);
    });
    return false;
  }
  const mempool = height === null ? { observations: stillWaiting, gone: null } : null;
  const scan = { from: at, to: at, fork: null, blocks: [], observations, nodeHeight, mempool };
  // Requested: were it left out as small, its entry would never be cleared.
  return (await recordScan(watch, { ...scan, requested: txHash }, new Set(), watch.now())) !== null;
}
