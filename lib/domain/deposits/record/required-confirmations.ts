import { getRequiredConfirmations } from "#lib/chains/finality-rules.ts";
import { usdCents } from "#lib/domain/ledger/value-rules.ts";
import { listLinksByAddress } from "#lib/domain/payment-links/queries.ts";
import { openRecentPrices } from "#lib/domain/rates/queries.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { TransferObservation, WatchContext } from "../types.ts";
import { listPendingTotals, raiseRequiredConfirmations } from "./store.ts";

/**
 * Returns a function from an observation to the confirmations that it needs by itself: those of its payment link's value
 * or of its own, whichever are more.
 */
export async function findRequiredConfirmations(
  tx: Tx,
  watch: WatchContext,
  observations: readonly TransferObservation[],
  now: Date,
) {
  const links = await listLinksByAddress(tx, [...new Set(observations.map(({ addressId }) => addressId))]);
  const { finality } = watch.adapter.data;
  const tokens = observations.map(({ token }) => token);
  const findPrice = await openRecentPrices(tx, watch.paymentLinks.rates, tokens, now);
  return ({ addressId, token, amount, minConfirmations = 0 }: TransferObservation) => {
    const linkCents = links.get(addressId)?.usdCents ?? null;
    const cents = usdCents(token, amount, findPrice(token));
    return Math.max(
      minConfirmations,
      getRequiredConfirmations(finality, linkCents),
      getRequiredConfirmations(finality, cents),
    );
  };
}

/**
 * Raises the required confirmations of the pending deposits in these blocks to those of what each merchant is paid in a
 * block altogether: a reverted block removes all of it, so many small payments need as much as a large one.
 * Call it after the deposits of the blocks are written. Returns the ids of the deposits that it changed.
 */
export async function raiseToBlockTotals(
  tx: Tx,
  watch: WatchContext,
  heights: readonly number[],
  now: Date,
): Promise<readonly number[]> {
  const { finality } = watch.adapter.data;
  if (heights.length === 0 || finality.kind === "finalized" || finality.tiers.length === 1) return [];
  const totals = await listPendingTotals(tx, watch, heights);
  const tokens = totals.map(({ token }) => token);
  const findPrice = await openRecentPrices(tx, watch.paymentLinks.rates, tokens, now);
  const ofMerchants = Map.groupBy(totals, ({ merchantId, height }) => `${merchantId} ${height}`);
  const raises = [...ofMerchants.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const cents = group.map(({ token, amount }) => usdCents(token, amount, findPrice(token)));
    const total = cents.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0n);
    return [{ ...first, required: getRequiredConfirmations(finality, total) }];
  });
  return raiseRequiredConfirmations(tx, watch, raises, now);
}
