import { reverseTransfers } from "#lib/domain/ledger/reverse-transfers.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/find-links.ts";
import { confirmationsFor } from "#lib/domain/payment-links/settle/state-rules.ts";
import { settlePayments } from "#lib/domain/payment-links/settle-payments.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { someOf } from "#lib/platform/log/about.ts";
import { emitDepositEvents } from "./emit-deposit-events.ts";
import { failpoint } from "./failpoint.ts";
import {
  entryCause,
  firstSeen,
  isBooked,
  type Reconciliation,
  reconcile,
  resolutionCause,
  stillWaiting,
} from "./rules.ts";
import {
  firstSights,
  forgetBlocksAbove,
  insertDeposits,
  keepBlocks,
  knownDeposits,
  moveCursor,
  placeDeposits,
  unplaceDeposits,
  vacatePositions,
} from "./store.ts";
import type { BlockRef, KnownDeposit, Sighting, Watch } from "./types.ts";
import { countDeposits } from "./watch-metrics.ts";

/** Read blocks are remembered this far below the cursor: how deep a reorganisation can be followed. */
const KEEP_BLOCKS = 10_000;
/** Deposits settled by one call. */
const SETTLE_AT_ONCE = 500;

/** Blocks read whole, on top of `from` or, after a reorganisation, of `fork`; none when `to` is `from`. */
export interface Scan {
  readonly from: BlockRef;
  readonly fork: BlockRef | null;
  readonly to: BlockRef;
  /** Blocks whose hashes are worth keeping, `to` among them. */
  readonly blocks: readonly BlockRef[];
  readonly nodeHeight: number;
  readonly sightings: readonly Sighting[];
  /** All that waits in the mempool, when `to` is the head; null: not looked at. */
  readonly unconfirmed: readonly Sighting[] | null;
}

/**
 * Moves the cursor and records what the blocks hold, all or nothing: new deposits, those that stand in another block
 * now, those that the chain took back, with links and ledger following. `missing` is what this resolved to before: the
 * deposits that the mempool and the blocks did not show, which are dropped when they still do not. null when another
 * watcher moved the cursor.
 */
export async function recordScan(
  watch: Watch,
  scan: Scan,
  missing: ReadonlySet<number>,
  now: Date,
): Promise<ReadonlySet<number> | null> {
  let tell = () => {};
  const done = await watch.database.db.transaction(async (tx) => {
    const { from, to, fork, nodeHeight, unconfirmed } = scan;
    if (!(await moveCursor(tx, watch, from, { ...to, nodeHeight }, now))) return null;
    failpoint("cursor-moved");
    if (fork) await forgetBlocksAbove(tx, watch, fork.height);
    await keepBlocks(tx, watch, scan.blocks, to.height - KEEP_BLOCKS);
    if (scan.sightings.length === 0 && fork === null && unconfirmed === null) return new Set<number>();

    const outcome = await compare(tx, watch, scan, watch.adapter.showsMempool ? missing : null);
    const touched = await writeOutcome(tx, watch, outcome, now);
    for (let i = 0; i < touched.length; i += SETTLE_AT_ONCE) {
      await settlePayments(tx, watch.paymentLinks, touched.slice(i, i + SETTLE_AT_ONCE), now);
    }
    tell = await reverse(tx, watch, taken(outcome), now);
    failpoint("deposits-recorded");
    return new Set(unconfirmed === null ? [] : outcome.missing.map(({ id }) => id));
  });
  tell();
  return done;
}

async function compare(
  tx: Tx,
  watch: Watch,
  scan: Scan,
  missing: ReadonlySet<number> | null,
): Promise<Reconciliation> {
  const { sightings, unconfirmed, fork } = scan;
  const forkHeight = fork?.height ?? null;
  const mempoolRead = unconfirmed !== null;
  const hashes = [...new Set([...sightings, ...(unconfirmed ?? [])].map(({ txHash }) => txHash))];
  const known = await knownDeposits(tx, watch, hashes, { forkHeight, waiting: mempoolRead });
  const waiting = stillWaiting(unconfirmed ?? [], sightings, known, forkHeight);
  return reconcile(known, [...sightings, ...waiting], { forkHeight, mempoolRead, missing });
}

/** Deposits in the books, credited or held, that this outcome takes out of them. */
function taken({ lost, missing, rewritten, moved }: Reconciliation): readonly KnownDeposit[] {
  const unconfirmed = moved.filter(({ sighting }) => sighting.block === null);
  const replaced = [...rewritten, ...unconfirmed].map(({ known }) => known);
  return [...lost, ...missing, ...replaced].filter(({ status }) => isBooked(status));
}

/** Returns the ids of every deposit that changed. */
async function writeOutcome(
  tx: Tx,
  watch: Watch,
  outcome: Reconciliation,
  now: Date,
): Promise<readonly number[]> {
  const { inserted, moved, rewritten, lost, missing, displaced } = outcome;
  const sighted = [...inserted, ...[...moved, ...rewritten].map(({ sighting }) => sighting)];
  const required = await requiredConfirmations(tx, watch, sighted);
  const seen = await firstSightsOf(tx, watch, sighted, now);
  const place = (known: KnownDeposit, sighting: Sighting, stays: boolean) => ({
    id: known.id,
    stays,
    sighting,
    requiredConfirmations: required(sighting),
    firstSeenAt: seen(sighting),
  });
  const shifted = moved.filter(({ known, sighting }) => known.position !== sighting.position);
  await vacatePositions(
    tx,
    [...displaced, ...shifted.map(({ known }) => known)].map(({ id }) => id),
  );
  const unplaced = missing.filter(({ blockHeight }) => blockHeight !== null);
  for (const [deposits, status] of [
    [lost, 2],
    [unplaced, 0],
  ] as const) {
    await unplaceDeposits(
      tx,
      deposits.map(({ id }) => id),
      status,
      now,
    );
  }
  await placeDeposits(
    tx,
    [
      ...moved.map(({ known, sighting }) =>
        place(known, sighting, isBooked(known.status) && sighting.block !== null),
      ),
      ...rewritten.map(({ known, sighting }) => place(known, sighting, false)),
    ],
    now,
  );
  const rows = inserted.map((sighting) => ({
    sighting,
    requiredConfirmations: required(sighting),
    firstSeenAt: seen(sighting),
  }));
  const insertedIds = await insertDeposits(tx, watch, rows, now);
  const changed = [...lost, ...unplaced, ...[...moved, ...rewritten].map(({ known }) => known)];
  return [...changed.map(({ id }) => id), ...insertedIds];
}

/** A replacement that spends the same outpoint was first seen when what it replaces was. */
async function firstSightsOf(tx: Tx, watch: Watch, sightings: readonly Sighting[], now: Date) {
  const known = await firstSights(tx, watch, [...new Set(sightings.flatMap(({ spends }) => spends))]);
  return ({ spends, block }: Sighting): Date => {
    const times = spends.flatMap((outpoint) => known.get(outpoint)?.getTime() ?? []);
    return new Date(Math.min(firstSeen(now, block).getTime(), ...times));
  };
}

async function requiredConfirmations(tx: Tx, watch: Watch, sightings: readonly Sighting[]) {
  const links = await listLinksByAddress(tx, [...new Set(sightings.map(({ addressId }) => addressId))]);
  const { finality } = watch.adapter.data;
  return ({ addressId, minConfirmations = 0 }: Sighting) =>
    Math.max(minConfirmations, confirmationsFor(finality, links.get(addressId)?.usdCents ?? null));
}

/** Answers what tells of it, once it is committed. */
async function reverse(
  tx: Tx,
  watch: Watch,
  deposits: readonly KnownDeposit[],
  now: Date,
): Promise<() => void> {
  if (deposits.length === 0) return () => {};
  // What a person resolved goes back from the merchant first. Whether it was, the ledger knows: not `deposits`,
  // which were read before its rows were locked.
  const causes = deposits.flatMap((deposit) =>
    deposit.unmatchedReason === null
      ? [entryCause(deposit)]
      : [resolutionCause(deposit), entryCause(deposit)],
  );
  const reversals = causes.map((cause) => ({ cause, reversalCause: `${cause}:reversal` }));
  const undone = await reverseTransfers(tx, reversals, now);
  const credited = deposits.filter((deposit) =>
    undone.has(deposit.unmatchedReason === null ? entryCause(deposit) : resolutionCause(deposit)),
  );
  const refids = await emitDepositEvents(
    tx,
    watch.adapter,
    "deposit_reversed",
    credited.map(({ id }) => id),
    now,
  );
  const figures = { credited: credited.length, held: deposits.length - credited.length };
  const named = { depositIds: someOf(deposits.map(({ id }) => id)), refids: someOf(refids) };
  return () => {
    countDeposits(watch, { reversed: credited.length });
    watch.log.warn({ ...figures, ...named }, "the chain took deposits back that were in the books");
  };
}
