import { getRequiredConfirmations } from "#lib/chains/finality-rules.ts";
import { reverseTransfers } from "#lib/domain/ledger/reverse-transfers.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { limitForLog } from "#lib/platform/log/log-context.ts";
import { emitDepositEvents } from "../emit-deposit-events.ts";
import { failpoint } from "../failpoint.ts";
import {
  depositCause,
  dropMined,
  firstSeenTime,
  isInLedger,
  type Reconciliation,
  reconcile,
  resolutionCause,
} from "../rules.ts";
import type { BlockRef, RecordedDeposit, TransferObservation, WatchContext } from "../types.ts";
import { countDecisions } from "../watch/watch-metrics.ts";
import {
  clearPositions,
  deleteBlocksAbove,
  findFirstSeenTimes,
  insertDeposits,
  insertReadBlocks,
  listRecordedDeposits,
  moveCursor,
  removeFromBlocks,
  updatePlacements,
} from "./store.ts";

/** Read blocks are remembered this far below the cursor: how deep a reorganisation can be followed. */
const KEPT_BLOCKS = 10_000;
/** Deposits settled by one call. */
const SETTLE_BATCH = 500;

/** Blocks read whole, on top of `from` or, after a reorganisation, of `fork`; none when `to` is `from`. */
export interface Scan {
  readonly from: BlockRef;
  readonly fork: BlockRef | null;
  readonly to: BlockRef;
  /** Blocks whose hashes are worth keeping, `to` among them. */
  readonly blocks: readonly BlockRef[];
  readonly nodeHeight: number;
  readonly observations: readonly TransferObservation[];
  /** All that waits in the mempool, when `to` is the head; null: not looked at. */
  readonly mempool: readonly TransferObservation[] | null;
}

/**
 * Moves the cursor and records what the blocks hold, all or nothing: new deposits, those that stand in another block
 * now, those that the chain took back, with links and ledger following. `missing` is what this resolved to before: the
 * deposits that the mempool and the blocks did not show, which are dropped when they still do not. null when another
 * watcher moved the cursor.
 */
export async function recordScan(
  watch: WatchContext,
  scan: Scan,
  missing: ReadonlySet<number>,
  now: Date,
): Promise<ReadonlySet<number> | null> {
  let tell = () => {};
  const done = await watch.database.db.transaction(async (tx) => {
    const { from, to, fork, nodeHeight, mempool } = scan;
    if (!(await moveCursor(tx, watch, from, { ...to, nodeHeight }, now))) return null;
    failpoint("cursor-moved");
    if (fork) await deleteBlocksAbove(tx, watch, fork.height);
    await insertReadBlocks(tx, watch, scan.blocks, to.height - KEPT_BLOCKS);
    if (scan.observations.length === 0 && fork === null && mempool === null) return new Set<number>();

    const outcome = await reconcileScan(tx, watch, scan, watch.adapter.hasMempool ? missing : null);
    const touched = await writeReconciliation(tx, watch, outcome, now);
    for (let i = 0; i < touched.length; i += SETTLE_BATCH) {
      await settlePayments(tx, watch.paymentLinks, touched.slice(i, i + SETTLE_BATCH), now);
    }
    tell = await reverseDeposits(tx, watch, listReverted(outcome), now);
    failpoint("deposits-recorded");
    return new Set(mempool === null ? [] : outcome.missing.map(({ id }) => id));
  });
  tell();
  return done;
}

async function reconcileScan(
  tx: Tx,
  watch: WatchContext,
  scan: Scan,
  missing: ReadonlySet<number> | null,
): Promise<Reconciliation> {
  const { observations, mempool, fork } = scan;
  const forkHeight = fork?.height ?? null;
  const mempoolRead = mempool !== null;
  const hashes = [...new Set([...observations, ...(mempool ?? [])].map(({ txHash }) => txHash))];
  const known = await listRecordedDeposits(tx, watch, hashes, { forkHeight, waiting: mempoolRead });
  const waiting = dropMined(mempool ?? [], observations, known, forkHeight);
  return reconcile(known, [...observations, ...waiting], { forkHeight, mempoolRead, missing });
}

/** Deposits in the books, credited or held, that this outcome takes out of them. */
function listReverted({ lost, missing, rewritten, moved }: Reconciliation): readonly RecordedDeposit[] {
  const unconfirmed = moved.filter(({ observation }) => observation.block === null);
  const replaced = [...rewritten, ...unconfirmed].map(({ recorded }) => recorded);
  return [...lost, ...missing, ...replaced].filter(({ status }) => isInLedger(status));
}

/** Returns the ids of every deposit that changed. */
async function writeReconciliation(
  tx: Tx,
  watch: WatchContext,
  outcome: Reconciliation,
  now: Date,
): Promise<readonly number[]> {
  const { inserted, moved, rewritten, lost, missing, displaced } = outcome;
  const observed = [...inserted, ...[...moved, ...rewritten].map(({ observation }) => observation)];
  const required = await requiredConfirmations(tx, watch, observed);
  const seen = await findEarliestSeenTimes(tx, watch, observed, now);
  const place = (known: RecordedDeposit, observation: TransferObservation, stays: boolean) => ({
    id: known.id,
    stays,
    observation,
    requiredConfirmations: required(observation),
    firstSeenAt: seen(observation),
  });
  const shifted = moved.filter(({ recorded, observation }) => recorded.position !== observation.position);
  await clearPositions(
    tx,
    [...displaced, ...shifted.map(({ recorded }) => recorded)].map(({ id }) => id),
  );
  const unplaced = missing.filter(({ blockHeight }) => blockHeight !== null);
  for (const [deposits, status] of [
    [lost, 2],
    [unplaced, 0],
  ] as const) {
    await removeFromBlocks(
      tx,
      deposits.map(({ id }) => id),
      status,
      now,
    );
  }
  await updatePlacements(
    tx,
    [
      ...moved.map(({ recorded, observation }) =>
        place(recorded, observation, isInLedger(recorded.status) && observation.block !== null),
      ),
      ...rewritten.map(({ recorded, observation }) => place(recorded, observation, false)),
    ],
    now,
  );
  const rows = inserted.map((observation) => ({
    observation,
    requiredConfirmations: required(observation),
    firstSeenAt: seen(observation),
  }));
  const insertedIds = await insertDeposits(tx, watch, rows, now);
  const changed = [...lost, ...unplaced, ...[...moved, ...rewritten].map(({ recorded }) => recorded)];
  return [...changed.map(({ id }) => id), ...insertedIds];
}

/** A replacement that spends the same outpoint was first seen when what it replaces was. */
async function findEarliestSeenTimes(
  tx: Tx,
  watch: WatchContext,
  observations: readonly TransferObservation[],
  now: Date,
) {
  const known = await findFirstSeenTimes(tx, watch, [
    ...new Set(observations.flatMap(({ spends }) => spends)),
  ]);
  return ({ spends, block }: TransferObservation): Date => {
    const times = spends.flatMap((outpoint) => known.get(outpoint)?.getTime() ?? []);
    return new Date(Math.min(firstSeenTime(now, block).getTime(), ...times));
  };
}

async function requiredConfirmations(
  tx: Tx,
  watch: WatchContext,
  observations: readonly TransferObservation[],
) {
  const links = await listLinksByAddress(tx, [...new Set(observations.map(({ addressId }) => addressId))]);
  const { finality } = watch.adapter.data;
  return ({ addressId, minConfirmations = 0 }: TransferObservation) =>
    Math.max(minConfirmations, getRequiredConfirmations(finality, links.get(addressId)?.usdCents ?? null));
}

/** Answers what tells of it, once it is committed. */
async function reverseDeposits(
  tx: Tx,
  watch: WatchContext,
  deposits: readonly RecordedDeposit[],
  now: Date,
): Promise<() => void> {
  if (deposits.length === 0) return () => {};
  // What a person resolved goes back from the merchant first. Whether it was, the ledger knows: not `deposits`,
  // which were read before its rows were locked.
  const causes = deposits.flatMap((deposit) =>
    deposit.unmatchedReason === null
      ? [depositCause(deposit)]
      : [resolutionCause(deposit), depositCause(deposit)],
  );
  const reversals = causes.map((cause) => ({ cause, reversalCause: `${cause}:reversal` }));
  const undone = await reverseTransfers(tx, reversals, now);
  const credited = deposits.filter((deposit) =>
    undone.has(deposit.unmatchedReason === null ? depositCause(deposit) : resolutionCause(deposit)),
  );
  const refids = await emitDepositEvents(
    tx,
    watch.adapter,
    "deposit_reversed",
    credited.map(({ id }) => id),
    now,
  );
  const figures = { credited: credited.length, held: deposits.length - credited.length };
  const named = { depositIds: limitForLog(deposits.map(({ id }) => id)), refids: limitForLog(refids) };
  return () => {
    countDecisions(watch, { reversed: credited.length });
    watch.log.warn({ ...figures, ...named }, "the chain took deposits back that were in the books");
  };
}
