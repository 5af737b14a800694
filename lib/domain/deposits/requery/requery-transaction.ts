import { getFamily } from "#lib/chains/families.ts";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { TransactionRecord, TransactionStatus } from "#lib/chains/transactions.ts";
import { defineProgramVerb } from "#lib/domain/authority/define-verb.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listRequeryOutcomes } from "../queries.ts";
import { confirmDeposits } from "../record/confirm-deposits.ts";
import { type Cursor, findCursor } from "../record/cursor-store.ts";
import { recordScan } from "../record/record-scan.ts";
import type { DepositOwner, WatchContext } from "../types.ts";
import { scanTransfers } from "../watch/read-blocks.ts";
import { hasMore, type RequeryOutcome, summarizeOutcomes } from "./requery-rules.ts";
import { waitForHeight } from "./wait-for-height.ts";

/** How often another process may move the cursor before a requery gives up. */
const MAX_TRIES = 5;

const PENDING = { ok: false, reason: "transaction_pending" } as const;

type ConfirmedStatus = Extract<TransactionStatus, { kind: "confirmed" }>;

export type RequeryResult =
  | { readonly ok: true; readonly outcome: "already_credited" }
  | { readonly ok: true; readonly outcome: "confirmed"; readonly blockHeight: number }
  | {
      readonly ok: false;
      readonly reason:
        | "network_not_supported"
        | "transaction_pending"
        | "transaction_skipped"
        | "transaction_failed"
        | "action_failed";
    };

type Refusal = Extract<RequeryResult, { ok: false }>;

/**
 * Reads one transaction of a merchant again (docs/service-interface.md, endpoint 7). A deposit that the watcher missed is
 * recorded and credited with recordScan and confirmDeposits, under the watcher's cursor. So any number of concurrent
 * callers credit it once, and never with fewer confirmations than required.
 * "confirmed" means: the transaction is in that block, and everything it pays the merchant is credited.
 */
export const requeryTransaction = defineProgramVerb(
  "transaction.requery",
  ({ merchantId, env }, { watch, text }: { readonly watch: WatchContext; readonly text: string }) =>
    requery(watch, { merchantId, env }, text),
);

async function requery(watch: WatchContext, owner: DepositOwner, text: string): Promise<RequeryResult> {
  const { transactions } = watch.adapter;
  if (transactions === null) return { ok: false, reason: "network_not_supported" };
  const txHash = getFamily(watch.adapter.data).canonicalizeTransactionHash(text);
  if (txHash === null) return PENDING;
  const listOutcomes = () => listRequeryOutcomes(watch.database.db, owner, watch.network, txHash);
  const before = await listOutcomes();
  const isCredited = summarizeOutcomes(before) === "credited";
  const fetchStatus = () => transactions.fetchStatus(txHash, findRecordedBlock(before));
  const read = await readTransaction(watch, { txHash, owner }, { fetchStatus, isCredited });
  const after = await listOutcomes();
  // All that was known is credited, whatever the nodes say now. Only an output that was missed is news.
  if (isCredited && summarizeOutcomes(after) === "credited" && !hasMore(before, after))
    return { ok: true, outcome: "already_credited" };
  return "reason" in read ? read : toResult(after, read);
}

/**
 * Reads the transaction and its block again, records and credits what they pay the merchant, and returns that block. `isCredited`: all that
 * is known of it is credited, so nothing waits for the head.
 */
async function readTransaction(
  watch: WatchContext,
  asked: Asked,
  {
    fetchStatus,
    isCredited,
  }: { readonly fetchStatus: () => Promise<TransactionStatus>; readonly isCredited: boolean },
): Promise<ConfirmedStatus | Refusal> {
  try {
    const status = await fetchStatus();
    if (status.kind === "failed") return { ok: false, reason: "transaction_failed" };
    if (status.kind !== "confirmed") return PENDING;
    // Confirmations count up to the cursor, so the cursor must reach the head first.
    const read = isCredited
      ? ((await findCursor(watch.database.db, watch))?.height ?? -1)
      : await waitForHeight(watch, (await watch.adapter.blocks.fetchHead()).height);
    if (read < status.blockHeight) return PENDING;
    await recordAndConfirm(watch, status, asked);
    return status;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    watch.log.warn({ err: error, txHash: asked.txHash }, "requery failed: node error");
    return { ok: false, reason: "action_failed" };
  }
}

/**
 * Fetches what a node of the network reports about any transaction. Returns null when no node knows it, or when the text
 * is not a transaction hash. The block of the merchant's own deposits is passed on, because a node without an
 * index cannot search for it. Throws NodeError.
 */
export async function fetchTransactionRecord(
  db: Db,
  adapter: TransactionNetwork,
  owner: DepositOwner,
  text: string,
): Promise<TransactionRecord | null> {
  const txHash = getFamily(adapter.data).canonicalizeTransactionHash(text);
  if (txHash === null) return null;
  const outcomes = await listRequeryOutcomes(db, owner, adapter.network, txHash);
  return await adapter.transactions.fetchRecord(txHash, findRecordedBlock(outcomes));
}

/** Returns the hash of the block that a deposit was recorded in, or null. */
function findRecordedBlock(outcomes: readonly RequeryOutcome[]): string | null {
  return outcomes.find(({ blockHash }) => blockHash !== null)?.blockHash ?? null;
}

function toResult(outcomes: readonly RequeryOutcome[], { blockHeight }: ConfirmedStatus): RequeryResult {
  const summary = summarizeOutcomes(outcomes);
  if (summary === "credited") return { ok: true, outcome: "confirmed", blockHeight };
  return summary === "waiting" ? PENDING : { ok: false, reason: "transaction_skipped" };
}

/** The transaction that was asked about, and the merchant who asked. */
interface Asked {
  readonly txHash: string;
  readonly owner: DepositOwner;
}

/**
 * Records the payments of the block, and credits those with enough confirmations. The block is always read: what is recorded of a transaction
 * does not show whether another output of it was missed.
 */
async function recordAndConfirm(watch: WatchContext, block: ConfirmedStatus, asked: Asked): Promise<void> {
  let isRecorded = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const at = await findCursor(watch.database.db, watch);
    if (at === null) return;
    const done = await watch.adapter.nodes.withOne({ lastBlock: at }, async (node) => {
      const nodeWatch = { ...watch, adapter: { ...watch.adapter, ...node } };
      isRecorded ||= await recordBlock(nodeWatch, at, block, asked);
      if (!isRecorded) return false;
      return (await confirmDeposits(nodeWatch, at, await node.blocks.fetchHead())) !== "moved";
    });
    if (done) return;
  }
}

/**
 * Reads a block below the cursor again and records what it pays the merchant or nobody, like any other. Payments of other
 * merchants are theirs to ask for. The cursor stays where it is. Returns false when another process has moved the cursor.
 */
async function recordBlock(
  watch: WatchContext,
  cursor: Cursor,
  block: ConfirmedStatus,
  { txHash: requested, owner }: Asked,
): Promise<boolean> {
  const { blockHeight, blockHash } = block;
  const { observations: all, tipHash } = await scanTransfers(watch, blockHeight, blockHeight, {
    mayLackTraces: true,
  });
  const observations = all.filter(({ merchantId }) => merchantId === null || merchantId === owner.merchantId);
  // The block must be in the cursor's branch. Otherwise a later reorg would not find what is recorded here.
  if (tipHash !== blockHash || (await watch.adapter.blocks.fetchHash(cursor.height)) !== cursor.hash) {
    throw new NodeError("inconsistent", "the chain changed during a requery");
  }
  const at = { height: cursor.height, hash: cursor.hash };
  const { nodeHeight } = cursor;
  const scan = {
    from: at,
    to: at,
    fork: null,
    blocks: [],
    observations,
    whole: all,
    nodeHeight,
    mempool: null,
    requested,
    isPartial: true,
  };
  return (await recordScan(watch, scan, new Set(), watch.now())) !== null;
}
