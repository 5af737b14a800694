import { getFamily } from "#lib/chains/families.ts";
import { attentionSubject } from "#lib/domain/attention/rules.ts";
import {
  clearAttention,
  isolateFaults,
  isSetAside,
  logSetAside,
  setAside,
} from "#lib/domain/attention/set-aside.ts";
import type { SetAside } from "#lib/domain/attention/types.ts";
import { reverseTransfers } from "#lib/domain/ledger/reverse-transfers.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { limitForLog } from "#lib/platform/log/log-context.ts";
import { emitDepositEvents } from "../deposit-record.ts";
import {
  collectOutpoints,
  depositCause,
  firstSeenTime,
  isInLedger,
  resolutionCause,
  transactionSubject,
  unmatchedReasonAfterMove,
} from "../rules.ts";
import type { BlockRef, RecordedDeposit, TransferObservation, WatchContext } from "../types.ts";
import { countDecisions } from "../watch-metrics.ts";
import { deleteBlocksAbove, insertReadBlocks, moveCursor } from "./cursor-store.ts";
import { decideFirstSeen, type FirstSeen } from "./first-seen-rules.ts";
import {
  divideContradicting,
  divideDisplacing,
  dropMined,
  dropReassigned,
  listTransactions,
  pickTransactions,
  type Reconciliation,
  reconcile,
} from "./reconcile-rules.ts";
import { findRequiredConfirmations, raiseToBlockTotals } from "./required-confirmations.ts";
import { limitSmallTransfers, reportLeftOut } from "./small-transfers.ts";
import {
  clearPositions,
  insertDeposits,
  listRecordedDeposits,
  listRecordedPayments,
  listSpenders,
  removeFromBlocks,
  updatePlacements,
} from "./store.ts";

/** Block hashes are kept this far below the cursor. A deeper reorg needs the operator. */
const KEPT_BLOCKS = 10_000;

/**
 * Blocks that were read completely. They continue `from` or, after a reorg, `fork`. When `to` is `from`, no block was
 * read.
 */
export interface Scan {
  readonly from: BlockRef;
  readonly fork: BlockRef | null;
  readonly to: BlockRef;
  /** Blocks whose hashes are stored, including `to`. */
  readonly blocks: readonly BlockRef[];
  readonly nodeHeight: number;
  readonly observations: readonly TransferObservation[];
  /** The transfers that wait in the mempool, when `to` is the head; null: not read or unchanged. */
  readonly mempool: {
    /** The transfers that were fetched so far. */
    readonly observations: readonly TransferObservation[];
    /** See ReconciliationScope. */
    readonly gone: ReadonlySet<string> | null;
  } | null;
  /** Hash of the transaction that somebody asked for. Its small unmatched transfers are recorded too (leaveOutSmall). */
  readonly requested?: string;
  /** True if the observations may lack some of what their transactions pay. Their marks stay, so that they are retried. */
  readonly isPartial?: boolean;
  /** All that the same answer shows. It is used for transactions whose part in `observations` is in doubt (divideDisplacing). */
  readonly whole?: readonly TransferObservation[];
}

/**
 * Moves the cursor over a scan and records what it contains.
 *
 * Reads: the recorded deposits that the scan can change (listRecordedDeposits).
 * Writes, all in one transaction: the cursor and block hashes, new deposits, deposits that moved to another block,
 * deposits that the chain reorganized away with the reversal of their credits, the payments of links, and webhook events.
 * A transaction that cannot be recorded and a link that cannot be settled are set aside, and the rest is written.
 * Small unmatched transfers beyond the limit of their address are not written at all (small-transfers.ts).
 * When the process is killed, nothing of it is written, and the next pass reads the same blocks again.
 *
 * `missing` is the result of the previous call: the ids of deposits that were neither in the mempool nor in the blocks;
 * null: the nodes show no mempool. Deposits that are still absent in a new list are dropped now. Returns the new missing
 * ids, or null when another process has moved the cursor.
 */
export async function recordScan(
  watch: WatchContext,
  scan: Scan,
  missing: ReadonlySet<number> | null,
  now: Date,
): Promise<ReadonlySet<number> | null> {
  let reportReversal = () => {};
  let setAsides: readonly SetAside[] = [];
  let leftOut: readonly TransferObservation[] = [];
  const stillMissing = await watch.database.db.transaction(async (tx) => {
    const { from, to, fork, nodeHeight, mempool } = scan;
    if (!(await moveCursor(tx, watch, { from, to, nodeHeight }, now))) return null;
    failpoint("cursor-moved");
    if (fork) await deleteBlocksAbove(tx, watch, fork.height);
    await insertReadBlocks(tx, watch, scan.blocks, to.height - KEPT_BLOCKS);
    const unchanged = missing ?? new Set<number>();
    if (scan.observations.length === 0 && fork === null && mempool === null) return unchanged;

    const { all, doubted } = await reconcileScan(tx, watch, scan, watch.adapter.mempool ? missing : null);
    const { found, ...limited } = await limitSmallTransfers(tx, watch, all, {
      requested: scan.requested ?? null,
      now,
    });
    // A block that is read again and the mempool show what was or will be counted with its block.
    leftOut = scan.blocks.length === 0 ? [] : limited.leftOut.filter(({ block }) => block !== null);
    const { result, changedIds, unrecorded } = await writeEach(tx, watch, { found, scan, doubted }, now);
    setAsides = [...unrecorded, ...(await settlePayments(tx, watch.paymentLinks, changedIds, now))];
    reportReversal = await reverseDeposits(tx, watch, listReverted(result), now);
    failpoint("deposits-recorded");
    return mempool?.gone ? new Set(result.missing.map(({ id }) => id)) : unchanged;
  });
  reportReversal();
  logSetAside(watch.log, setAsides);
  reportLeftOut(watch, leftOut);
  return stillMissing;
}

async function reconcileScan(
  tx: Tx,
  watch: WatchContext,
  scan: Scan,
  missing: ReadonlySet<number> | null,
): Promise<{ readonly all: Reconciliation; readonly doubted: readonly Doubted[] }> {
  const { mempool, fork } = scan;
  const forkHeight = fork?.height ?? null;
  const waiting = mempool?.observations ?? [];
  const gone = mempool?.gone ?? null;
  const hashes = [...new Set([...scan.observations, ...waiting].map(({ txHash }) => txHash))];
  const recorded = await listRecordedDeposits(tx, watch, hashes, { forkHeight, waiting: mempool !== null });
  const { shown, undoubted, doubted } = divideDoubted(watch, recorded, scan);
  const unmined = dropMined(waiting, shown, recorded, forkHeight);
  const all = reconcile(undoubted, [...shown, ...unmined], { forkHeight, gone, missing });
  return { all, doubted };
}

/** An observation that does not fit to what is recorded, and is not recorded. */
interface Doubted {
  readonly one: TransferObservation;
  readonly why: string;
}

interface Divided {
  readonly shown: readonly TransferObservation[];
  /** The recorded deposits, without those about which the observations prove nothing. */
  readonly undoubted: readonly RecordedDeposit[];
  readonly doubted: readonly Doubted[];
}

/** Divides what the blocks of a scan show into what is believed and what is in doubt. */
function divideDoubted(watch: WatchContext, recorded: readonly RecordedDeposit[], scan: Scan): Divided {
  const observations = dropReassigned(recorded, scan.observations);
  const { agreeing, contradicting, undoubted } = getFamily(watch.adapter.data).hasOutputPositions
    ? { agreeing: observations, contradicting: [], undoubted: recorded }
    : divideContradicting(recorded, observations);
  const doubted = contradicting.map((one) => ({
    one,
    why: "another amount than is recorded from the same block",
  }));
  // A scan that moves the cursor shows its blocks whole. Any other one may show a part, and replaces nothing.
  if (scan.fork !== null || scan.blocks.length > 0) return { shown: agreeing, undoubted, doubted };
  const { kept, inDoubt, unrecorded, txHashes } = divideDisplacing(undoubted, agreeing);
  if (txHashes.size > 0 && scan.whole) {
    const others = scan.observations.filter(({ txHash }) => !txHashes.has(txHash));
    const { whole, ...rest } = scan;
    const completed = [...others, ...whole.filter(({ txHash }) => txHashes.has(txHash))];
    return divideDoubted(watch, recorded, { ...rest, observations: completed });
  }
  // A retry that shows nothing new may lack what the transaction was marked for.
  const doubtful = scan.isPartial ? unrecorded : inDoubt;
  const renumbered = doubtful.map((one) => ({ one, why: "other places than are recorded" }));
  return { shown: kept, undoubted, doubted: [...doubted, ...renumbered] };
}

/** Marks a transaction that is not recorded. It is read again, whole, until a node shows what can be recorded. */
async function markTransaction(
  tx: Tx,
  watch: WatchContext,
  { one, error, isPartial = false }: { one: TransferObservation; error: unknown; isPartial?: boolean },
  now: Date,
): Promise<readonly SetAside[]> {
  const subject = transactionSubject(watch, one.txHash);
  // A requery must not put off the retry, which reads all of the transaction.
  if (isPartial && (await isSetAside(tx, subject))) return [];
  return [await setAside(tx, { subject, height: one.block?.height ?? null }, error, now)];
}

/**
 * Returns the part of a reconciliation that removes these transactions from the blocks that a reorg replaced. Their recorded
 * places are not in the chain any more, also where the new place cannot be written: a second reorg may remove that, too.
 */
function removeReplaced(found: Reconciliation, forkHeight: number | null): Reconciliation {
  const isReplaced = ({ blockHeight }: RecordedDeposit) =>
    forkHeight !== null && blockHeight !== null && blockHeight > forkHeight;
  const placed = found.moved.map(({ recorded }) => recorded).filter(isReplaced);
  return { inserted: [], moved: [], missing: [], displaced: [], lost: [...found.lost, ...placed] };
}

/** Lists the deposits whose ledger transfers must be reversed: they are in the ledger and no longer in a block. */
function listReverted({ lost, missing, moved }: Reconciliation): readonly RecordedDeposit[] {
  const unconfirmed = moved.filter(({ observation }) => observation.block === null);
  const removed = [...lost, ...missing, ...unconfirmed.map(({ recorded }) => recorded)];
  return removed.filter(({ status }) => isInLedger(status));
}

/**
 * Writes a reconciliation to the deposits. A transaction that makes it fail or is in doubt is set aside, and the others are written: they
 * are `result`, with the deposits of the failed ones that a reorg took out of their blocks. A transaction that only
 * disappeared is not read again, so its error is thrown.
 */
async function writeEach(
  tx: Tx,
  watch: WatchContext,
  {
    found,
    scan,
    doubted,
  }: { readonly found: Reconciliation; readonly scan: Scan; readonly doubted: readonly Doubted[] },
  now: Date,
) {
  const { fork, isPartial = false, requested } = scan;
  const hashes = listTransactions(found);
  const observed = [...found.inserted, ...found.moved.map((pair) => pair.observation)];
  const changedIds: number[] = [];
  const unrecorded: SetAside[] = [];
  const failed = new Set<string>();
  const removed: RecordedDeposit[] = [];
  const pick = (some: ReadonlySet<string>) =>
    some.size === hashes.length ? found : pickTransactions(found, some);
  const write = async (some: readonly string[]) => {
    const ids = await tx.transaction((savepoint) =>
      writeReconciliation(savepoint, watch, pick(new Set(some)), now),
    );
    changedIds.push(...ids);
  };
  await isolateFaults(hashes, write, async (txHash, error) => {
    const observation = observed.find((one) => one.txHash === txHash);
    if (observation === undefined) throw error;
    failed.add(txHash);
    unrecorded.push(...(await markTransaction(tx, watch, { one: observation, error, isPartial }, now)));
    const removal = removeReplaced(pick(new Set([txHash])), fork?.height ?? null);
    if (removal.lost.length === 0) return;
    changedIds.push(...(await writeReconciliation(tx, watch, removal, now)));
    removed.push(...removal.lost);
  });
  const result = pick(new Set(hashes.filter((txHash) => !failed.has(txHash))));
  for (const [txHash, { one, why }] of new Map(doubted.map((each) => [each.one.txHash, each]))) {
    const error = new Error(`a node shows ${why}: ${one.token}`);
    if (!failed.has(txHash))
      unrecorded.push(...(await markTransaction(tx, watch, { one, error, isPartial }, now)));
  }
  if (!isPartial && doubted.length === 0)
    await clearMarks(tx, watch, result, requested !== undefined && !failed.has(requested) ? requested : null);
  return { result: { ...result, lost: [...result.lost, ...removed] }, changedIds, unrecorded };
}

/**
 * Removes the marks of what was written. A payment that only disappeared keeps its mark: it may have gone into the block that
 * could not be written. So does one that a mempool shows while the mark has a block: the node may be behind.
 */
async function clearMarks(
  tx: Tx,
  watch: WatchContext,
  { inserted, moved }: Reconciliation,
  requested: string | null,
): Promise<void> {
  const observed = [...inserted, ...moved.map(({ observation }) => observation)];
  const toSubjects = (some: readonly TransferObservation[]) =>
    some.map(({ txHash }) => transactionSubject(watch, txHash));
  // A requested transaction may be recorded already: then nothing of it was written, and its mark is of no use either.
  const asked = requested === null ? [] : [transactionSubject(watch, requested)];
  await clearAttention(tx, [...toSubjects(observed.filter(({ block }) => block !== null)), ...asked]);
  await clearAttention(tx, toSubjects(observed.filter(({ block }) => block === null)), { waiting: true });
}

/** Writes a reconciliation to the deposits. Returns the ids of all deposits that changed. */
async function writeReconciliation(
  tx: Tx,
  watch: WatchContext,
  { inserted, moved, lost, missing, displaced }: Reconciliation,
  now: Date,
): Promise<readonly number[]> {
  const observations = [...inserted, ...moved.map(({ observation }) => observation)];
  const requiredFor = await findRequiredConfirmations(tx, watch, observations, now);
  const firstSeenFor = await findFirstSeen(tx, watch, inserted, now);
  const toPlacement = (observation: TransferObservation) => ({
    observation,
    requiredConfirmations: requiredFor(observation),
    firstSeen: firstSeenFor(observation),
  });
  // Positions are unique in a transaction. They are cleared first, because two deposits can swap theirs.
  const shifted = moved.filter(({ recorded, observation }) => recorded.position !== observation.position);
  await clearPositions(tx, toIds([...displaced, ...shifted.map(({ recorded }) => recorded)]));
  const removed = missing.filter(({ blockHeight }) => blockHeight !== null);
  await removeFromBlocks(tx, toIds(lost), "dropped", now);
  // A credit that failed is not tried again.
  await clearAttention(
    tx,
    lost.map(({ id }) => attentionSubject("deposit", id)),
  );
  await removeFromBlocks(tx, toIds(removed), "seen", now);
  const updates = moved.map(({ recorded, observation }) => {
    const unmatchedReason = unmatchedReasonAfterMove(recorded.unmatchedReason, observation.unmatchedReason);
    const stays = isInLedger(recorded.status) && observation.block !== null;
    return { ...toPlacement({ ...observation, unmatchedReason }), id: recorded.id, stays };
  });
  await updatePlacements(tx, updates, now);
  const insertedIds = await insertDeposits(tx, watch, inserted.map(toPlacement), now);
  const heights = new Set(observations.flatMap(({ block }) => block?.height ?? []));
  const raisedIds = await raiseToBlockTotals(tx, watch, [...heights], now);
  const changedIds = toIds([...lost, ...removed, ...moved.map(({ recorded }) => recorded)]);
  return [...new Set([...changedIds, ...insertedIds, ...raisedIds])];
}

const toIds = (deposits: readonly RecordedDeposit[]) => deposits.map(({ id }) => id);

/** Returns a function from an observation to when its amount was first seen. Only `inserted` ones inherit. */
async function findFirstSeen(
  tx: Tx,
  watch: WatchContext,
  inserted: readonly TransferObservation[],
  now: Date,
): Promise<(observation: TransferObservation) => FirstSeen> {
  const spenders = await listSpenders(tx, watch, [...collectOutpoints(inserted)]);
  const addressIds = [...new Set(inserted.map(({ addressId }) => addressId))];
  const recorded = await listRecordedPayments(tx, watch, [...spenders.keys()], addressIds);
  const decided = decideFirstSeen(inserted, recorded, spenders, now);
  return (observation) =>
    decided.get(observation) ?? {
      firstSeenAt: firstSeenTime(now, observation.block),
      earlyAmount: 0n,
      earlySeenAt: null,
    };
}

/**
 * Reverses the ledger transfers of these deposits and emits webhook events. Returns a function that logs and counts the
 * reversal: call it after the commit.
 */
async function reverseDeposits(
  tx: Tx,
  watch: WatchContext,
  deposits: readonly RecordedDeposit[],
  now: Date,
): Promise<() => void> {
  if (deposits.length === 0) return () => {};
  // A deposit that the operator resolved goes back from the merchant to unmatched first. The ledger decides whether it
  // was resolved, because `deposits` was read before its rows were locked.
  const causes = deposits.flatMap((deposit) =>
    deposit.unmatchedReason === null
      ? [depositCause(deposit)]
      : [resolutionCause(deposit), depositCause(deposit)],
  );
  const reversals = causes.map((cause) => ({ cause, reversalCause: `${cause}:reversal` }));
  const reversed = await reverseTransfers(tx, reversals, now);
  const credited = deposits.filter((deposit) =>
    reversed.has(deposit.unmatchedReason === null ? depositCause(deposit) : resolutionCause(deposit)),
  );
  const event = { type: "deposit_reversed", depositIds: toIds(credited) } as const;
  const refids = await emitDepositEvents(tx, watch.adapter, event, now);
  const fields = {
    credited: credited.length,
    held: deposits.length - credited.length,
    depositIds: limitForLog(toIds(deposits)),
    refids: limitForLog(refids),
  };
  return () => {
    countDecisions(watch, { reversed: credited.length });
    watch.log.warn(fields, "deposits reversed after a reorg");
  };
}
