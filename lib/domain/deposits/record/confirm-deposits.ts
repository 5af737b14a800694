import type { ChainHead } from "#lib/chains/blocks.ts";
import { countConfirmations } from "#lib/chains/finality-rules.ts";
import { attentionSubject } from "#lib/domain/attention/rules.ts";
import { clearAttention, isolateFaults, logSetAside, setAside } from "#lib/domain/attention/set-aside.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { enqueueUnmatchedMails } from "#lib/domain/mail/enqueue-mails.ts";
import { settleConfirmed } from "#lib/domain/payment-links/settle/settle-links.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/rules.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { limitForLog } from "#lib/platform/log/log-context.ts";
import { emitDepositEvents } from "../deposit-record.ts";
import { depositCause, hasEnoughConfirmations } from "../rules.ts";
import type { BlockRef, PendingDeposit, WatchContext } from "../types.ts";
import { countDecisions } from "../watch-metrics.ts";
import { lockCursor } from "./cursor-store.ts";
import { listPendingDeposits, lockPendingDeposit, markConfirmed, updateConfirmations } from "./store.ts";

/** Deposits per transaction. */
const BATCH_SIZE = 500;
/** So many deposits of each address come first. An address that gets thousands waits, and all others do not. */
const PER_ADDRESS_FIRST = 20;

/** A pending deposit with its new number of confirmations. `before` is the stored number. */
type CountedDeposit = PendingDeposit & { readonly before: number };

/**
 * Counts the confirmations of all pending deposits up to the cursor, and credits those that have enough.
 *
 * Reads: the pending deposits, in batches, and from the node the hash of each block that a credit depends on.
 * Writes, in one transaction for each batch, with the cursor row locked: confirmations, deposit status, ledger transfers,
 * payments of links and webhook events. A deposit with an unmatched reason is held instead of credited.
 * When the process is killed, a batch is either complete or not written. The next call continues with the rest.
 * A deposit whose credit fails is set aside and left out until its retry. An address with many deposits delays no other.
 *
 * Returns "moved" when another process has moved the cursor: the caller starts again from the new cursor. "waiting": the node that was
 * asked lacks the block of a deposit with enough confirmations. The caller counts again in the next pass: a reorg took it, or the node is behind.
 */
export async function confirmDeposits(
  watch: WatchContext,
  cursor: BlockRef,
  { finalizedHeight }: Pick<ChainHead, "finalizedHeight">,
): Promise<"done" | "waiting" | "moved"> {
  const first = await confirmPages(watch, cursor, finalizedHeight, PER_ADDRESS_FIRST);
  if (first !== "crowded") return first;
  const all = await confirmPages(watch, cursor, finalizedHeight, null);
  return all === "crowded" ? "done" : all;
}

/**
 * Confirms the pending deposits, or the oldest `perAddress` of each address. `crowded`: some address may have more. The others: see
 * confirmDeposits.
 */
async function confirmPages(
  watch: WatchContext,
  cursor: BlockRef,
  finalizedHeight: number | null,
  perAddress: number | null,
): Promise<"done" | "waiting" | "crowded" | "moved"> {
  const { finality } = watch.adapter.data;
  const tip = { height: cursor.height, finalizedHeight };
  let isCrowded = false;
  let isWaiting = false;
  for (let afterId = 0; ; ) {
    const page = { upTo: cursor.height, afterId, limit: BATCH_SIZE, perAddress, now: watch.now() };
    const pending = await listPendingDeposits(watch.database.db, watch, page);
    afterId = pending.at(-1)?.id ?? afterId;
    isCrowded ||= pending.some(({ nth }) => nth === perAddress);
    const counted = pending.map((deposit) => ({
      ...deposit,
      before: deposit.confirmations,
      confirmations: countConfirmations(finality, deposit.blockHeight, tip),
    }));
    const changed = counted.filter(({ confirmations, before }) => confirmations !== before);
    const due = counted.filter((deposit) => hasEnoughConfirmations(deposit.confirmations, deposit));
    const confirmedIds = await filterStillInChain(watch, due);
    isWaiting ||= confirmedIds.length < due.length;
    failpoint("credits-due");
    if (changed.length > 0 || confirmedIds.length > 0) {
      if (!(await commitEach(watch, cursor, { changed, confirmedIds }))) return "moved";
      failpoint("credit-committed");
    }
    if (pending.length >= BATCH_SIZE) continue;
    if (isCrowded) return "crowded";
    return isWaiting ? "waiting" : "done";
  }
}

/**
 * Returns the ids of the deposits whose block is still in the chain. The node is asked right before the credit, once for
 * each block. A deposit whose block is gone waits for the next pass, which finds the reorg, or the block.
 */
async function filterStillInChain(
  watch: WatchContext,
  deposits: readonly PendingDeposit[],
): Promise<readonly number[]> {
  const heights = [...new Set(deposits.map(({ blockHeight }) => blockHeight))];
  const hashes = new Map<number, string | null>();
  for (const height of heights) hashes.set(height, await watch.adapter.blocks.fetchHash(height));
  return deposits
    .filter(({ blockHeight, blockHash }) => hashes.get(blockHeight) === blockHash)
    .map(({ id }) => id);
}

interface Batch {
  /** Deposits with another number of confirmations. */
  readonly changed: readonly CountedDeposit[];
  /** Deposits that have enough. */
  readonly confirmedIds: readonly number[];
}

/**
 * Commits a batch. A deposit that makes it fail is set aside, and the others are committed. Returns false when another
 * process has moved the cursor.
 */
async function commitEach(watch: WatchContext, cursor: BlockRef, batch: Batch): Promise<boolean> {
  const changed = new Map(batch.changed.map((deposit) => [deposit.id, deposit]));
  const confirmed = new Set(batch.confirmedIds);
  const ids = [...new Set([...changed.keys(), ...confirmed])].sort((a, b) => a - b);
  let isAtCursor = true;
  const commit = async (some: readonly number[]) => {
    isAtCursor &&= await commitBatch(watch, cursor, {
      changed: some.flatMap((id) => changed.get(id) ?? []),
      confirmedIds: some.filter((id) => confirmed.has(id)),
    });
  };
  await isolateFaults(ids, commit, async (id, error) => {
    const subject = attentionSubject("deposit", id);
    const aside = await watch.database.db.transaction(async (tx) =>
      // Another process may have credited or dropped it meanwhile. Then nothing is tried again that would remove the mark.
      (await lockPendingDeposit(tx, id)) ? [await setAside(tx, { subject }, error, watch.now())] : [],
    );
    logSetAside(watch.log, aside);
  });
  return isAtCursor;
}

async function commitBatch(
  watch: WatchContext,
  cursor: BlockRef,
  { changed, confirmedIds }: Batch,
): Promise<boolean> {
  const now = watch.now();
  const committed = await watch.database.db.transaction(async (tx) => {
    if (!(await lockCursor(tx, watch, cursor))) return null;
    await updateConfirmations(tx, changed, now);
    const confirmed = await markConfirmed(tx, confirmedIds, now);
    const credited = confirmed.filter(({ unmatchedReason }) => unmatchedReason === null);
    const held = confirmed.filter(({ unmatchedReason }) => unmatchedReason !== null);
    const depositIds = credited.map(({ id }) => id);
    const deposits = { changed: depositIds, confirming: changed.map(({ id }) => id) };
    const setAsides = await settleConfirmed(tx, watch.paymentLinks, deposits, now);
    const credits = confirmed.map(({ id, creditRound, unmatchedReason, ...credit }) => ({
      ...credit,
      merchantId: unmatchedReason === null ? credit.merchantId : null,
      cause: depositCause({ id, creditRound }),
    }));
    await creditMerchants(tx, credits, now, createUsdPriceLookup(watch.paymentLinks.rates, now));
    await clearAttention(
      tx,
      confirmed.map(({ id }) => attentionSubject("deposit", id)),
    );
    const refids = await emitDepositEvents(tx, watch.adapter, { type: "deposit_credited", depositIds }, now);
    if (watch.paymentLinks.settings.sendsMail) await enqueueUnmatchedMails(tx, held, now);
    failpoint("deposits-credited");
    return { credited, held, refids, setAsides };
  });
  if (committed === null) return false;
  const { credited, held, refids, setAsides } = committed;
  logSetAside(watch.log, setAsides);
  countDecisions(watch, { credited: credited.length, held: held.length });
  if (credited.length > 0)
    watch.log.info({ ...logFields(credited), refids: limitForLog(refids) }, "deposits credited");
  if (held.length > 0) watch.log.warn(logFields(held), "unmatched deposits held");
  return true;
}

function logFields(deposits: readonly { readonly id: number }[]) {
  return { deposits: deposits.length, depositIds: limitForLog(deposits.map(({ id }) => id)) };
}
