import { countConfirmations } from "#lib/chains/finality-rules.ts";
import type { ChainHead } from "#lib/chains/network.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { settlePayments } from "#lib/domain/payment-links/settle/settle-links.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/rules.ts";
import { limitForLog } from "#lib/platform/log/log-context.ts";
import { emitDepositEvents } from "../emit-deposit-events.ts";
import { failpoint } from "../failpoint.ts";
import { depositCause, hasEnoughConfirmations } from "../rules.ts";
import type { BlockRef, PendingDeposit, WatchContext } from "../types.ts";
import { countDecisions } from "../watch/watch-metrics.ts";
import { listPendingDeposits, lockCursor, markConfirmed, updateConfirmations } from "./store.ts";

const BATCH = 500;

/**
 * Counts confirmations up to the cursor and credits what has enough of them, as long as its block is still the
 * chain's; what nothing may credit is held as unmatched. Deposits in parts, each a transaction of its own. False when another watcher moved the cursor.
 */
export async function confirmDeposits(
  watch: WatchContext,
  cursor: BlockRef,
  { finalizedHeight }: Pick<ChainHead, "finalizedHeight">,
): Promise<boolean> {
  const { finality } = watch.adapter.data;
  const tip = { height: cursor.height, finalizedHeight };
  for (let afterId = 0; ; ) {
    const pending = await listPendingDeposits(watch.database.db, watch, cursor.height, afterId, BATCH);
    const last = pending.at(-1);
    if (!last) return true;
    afterId = last.id;
    const counted = pending.map((deposit) => ({
      ...deposit,
      before: deposit.confirmations,
      confirmations: countConfirmations(finality, deposit.blockHeight, tip),
    }));
    const changed = counted.filter(({ confirmations, before }) => confirmations !== before);
    const due = await filterStillInChain(
      watch,
      counted.filter((deposit) => hasEnoughConfirmations(deposit.confirmations, deposit)),
    );
    failpoint("credits-due");
    if (changed.length === 0 && due.length === 0) continue;
    if (!(await commitBatch(watch, cursor, changed, due))) return false;
    failpoint("credit-committed");
  }
}

/** Asked of the node at the last moment, block by block: a credit waits when the chain says otherwise. */
async function filterStillInChain(
  watch: WatchContext,
  due: readonly PendingDeposit[],
): Promise<readonly number[]> {
  const heights = [...new Set(due.map(({ blockHeight }) => blockHeight))];
  const hashes = new Map<number, string | null>();
  for (const height of heights) hashes.set(height, await watch.adapter.fetchBlockHash(height));
  return due
    .filter(({ blockHeight, blockHash }) => hashes.get(blockHeight) === blockHash)
    .map(({ id }) => id);
}

async function commitBatch(
  watch: WatchContext,
  cursor: BlockRef,
  changed: readonly PendingDeposit[],
  due: readonly number[],
): Promise<boolean> {
  const now = watch.now();
  const done = await watch.database.db.transaction(async (tx) => {
    if (!(await lockCursor(tx, watch, cursor))) return null;
    await updateConfirmations(tx, changed, now);
    const confirmed = await markConfirmed(tx, due, now);
    const credited = confirmed.filter(({ unmatchedReason }) => unmatchedReason === null);
    const touched = new Set([...changed, ...credited].map(({ id }) => id));
    await settlePayments(tx, watch.paymentLinks, [...touched], now);
    const credits = confirmed.map(({ id, creditRound, unmatchedReason, ...credit }) => ({
      ...credit,
      merchantId: unmatchedReason === null ? credit.merchantId : null,
      cause: depositCause({ id, creditRound }),
    }));
    await creditMerchants(tx, credits, now, createUsdPriceLookup(watch.paymentLinks.rates, now));
    const refids = await emitDepositEvents(
      tx,
      watch.adapter,
      "deposit_credited",
      credited.map(({ id }) => id),
      now,
    );
    failpoint("deposits-credited");
    return { credited, held: confirmed.filter(({ unmatchedReason }) => unmatchedReason !== null), refids };
  });
  if (done === null) return false;
  const { credited, held, refids } = done;
  countDecisions(watch, { credited: credited.length, held: held.length });
  if (credited.length > 0)
    watch.log.info({ ...logFields(credited), refids: limitForLog(refids) }, "deposits credited");
  if (held.length > 0) watch.log.warn(logFields(held), "unmatched deposits held");
  return true;
}

function logFields(deposits: readonly { readonly id: number }[]) {
  return { deposits: deposits.length, depositIds: limitForLog(deposits.map(({ id }) => id)) };
}
