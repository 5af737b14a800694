import { canonicalizeTransactionHash } from "#lib/chains/hash-rules.ts";
import { NodeError, type TransactionStatus } from "#lib/chains/network.ts";
import { listRequeryOutcomes } from "../queries.ts";
import { confirmDeposits } from "../record/confirm-deposits.ts";
import { recordScan } from "../record/record-scan.ts";
import { type Cursor, findCursor } from "../record/store.ts";
import type { DepositOwner, WatchContext } from "../types.ts";
import { scanTransfers } from "../watch/read-blocks.ts";
import { isRecorded, type RequeryOutcome, summarizeOutcomes } from "./requery-rules.ts";
import { waitForHeight } from "./wait-for-height.ts";

/** Times that another writer may be in between. */
const TRIES = 5;

const PENDING = { ok: false, reason: "transaction_pending" } as const;

type Confirmed = Extract<TransactionStatus, { kind: "confirmed" }>;

export type RequeryResult =
  | { readonly ok: true; readonly outcome: "already_credited" }
  | { readonly ok: true; readonly outcome: "confirmed"; readonly blockHeight: number }
  | {
      readonly ok: false;
      readonly reason: "transaction_pending" | "transaction_skipped" | "transaction_failed" | "action_failed";
    };

/**
 * Looks at one transaction of a merchant's anew (docs/service-interface.md, endpoint 7). What the watcher missed is
 * recorded and credited on the watcher's own path, under its cursor: any number of callers beside it credit once, and
 * never with fewer confirmations. "confirmed": in that block, and all it pays the merchant is credited.
 */
export async function requeryTransaction(
  watch: WatchContext,
  owner: DepositOwner,
  text: string,
): Promise<RequeryResult> {
  const txHash = canonicalizeTransactionHash(watch.adapter.data.family, text);
  if (txHash === null) return PENDING;
  const outcomes = () => listRequeryOutcomes(watch.database.db, owner, watch.network, txHash);
  const before = await outcomes();
  if (summarizeOutcomes(before) === "credited") return { ok: true, outcome: "already_credited" };
  try {
    const seenIn = before.find(({ blockHash }) => blockHash !== null)?.blockHash ?? null;
    const verdict = await watch.adapter.fetchTransactionStatus(txHash, seenIn);
    if (verdict.kind === "failed") return { ok: false, reason: "transaction_failed" };
    if (verdict.kind !== "confirmed") return PENDING;
    // Confirmations count up to the last block read, so that it is read on to where the chain stands now.
    const { height } = await watch.adapter.fetchHead();
    if ((await waitForHeight(watch, height)) < verdict.blockHeight) return PENDING;
    await catchUp(watch, verdict, outcomes);
    return toResult(summarizeOutcomes(await outcomes()), verdict);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    watch.log.warn({ err: error, txHash }, "a transaction could not be looked at");
    return { ok: false, reason: "action_failed" };
  }
}

function toResult(standing: ReturnType<typeof summarizeOutcomes>, { blockHeight }: Confirmed): RequeryResult {
  if (standing === "credited") return { ok: true, outcome: "confirmed", blockHeight };
  return standing === "waiting" ? PENDING : { ok: false, reason: "transaction_skipped" };
}

/** Records the block's payments if they are not, and credits what has confirmations enough. */
async function catchUp(
  watch: WatchContext,
  block: Confirmed,
  outcomes: () => Promise<readonly RequeryOutcome[]>,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const at = await findCursor(watch.database.db, watch);
    if (at === null) return;
    const done = await watch.adapter.withOneNode({ lastBlock: at }, async (node) => {
      const here = { ...watch, adapter: { ...watch.adapter, ...node } };
      const recorded = isRecorded(await outcomes(), block.blockHash);
      if (!recorded && !(await recordBlock(here, at, block))) return false;
      return confirmDeposits(here, at, await node.fetchHead());
    });
    if (done) return;
  }
}

/** A block below the cursor, read once more and recorded like any other; the cursor stays. False when it moved. */
async function recordBlock(watch: WatchContext, cursor: Cursor, block: Confirmed): Promise<boolean> {
  const { blockHeight, blockHash } = block;
  const { observations, tipHash } = await scanTransfers(watch, blockHeight, blockHeight);
  // Of the cursor's own branch, or a reorganisation below it would not find what is recorded here.
  if (tipHash !== blockHash || (await watch.adapter.fetchBlockHash(cursor.height)) !== cursor.hash) {
    throw new NodeError("inconsistent", "the chain moved while a transaction was looked at");
  }
  const at = { height: cursor.height, hash: cursor.hash };
  const nothing = { fork: null, blocks: [], mempool: null };
  const scan = { ...nothing, from: at, to: at, nodeHeight: cursor.nodeHeight, observations };
  return (await recordScan(watch, scan, new Set(), watch.now())) !== null;
}
