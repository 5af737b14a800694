import { usdCents } from "#lib/domain/ledger/value-rules.ts";
import { createUsdPriceLookup } from "#lib/domain/rates/rules.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { limitForLog } from "#lib/platform/log/log-context.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { TransferObservation, WatchContext } from "../types.ts";
import { isSmall, leaveOutSmall } from "../unmatched/rules.ts";
import { countOpenUnmatched } from "../unmatched/store.ts";
import { countDecisions } from "../watch-metrics.ts";
import type { Reconciliation } from "./reconcile-rules.ts";

/**
 * Takes from a reconciliation the small unmatched transfers beyond the limit of their address: `leftOut`. Recorded
 * deposits always stay, so a reorg finds the same rows again.
 */
export async function limitSmallTransfers(
  tx: Tx,
  watch: WatchContext,
  all: Reconciliation,
  { requested, now }: { readonly requested: string | null; readonly now: Date },
): Promise<{ readonly found: Reconciliation; readonly leftOut: readonly TransferObservation[] }> {
  const unmatched = all.inserted.filter(({ unmatchedReason }) => unmatchedReason !== null);
  if (unmatched.length === 0) return { found: all, leftOut: [] };
  const findPrice = createUsdPriceLookup(watch.paymentLinks.rates, now);
  const small = new Set(
    unmatched.filter((one) =>
      isSmall(one, usdCents(one.token, one.amount, findPrice(one.token)?.price ?? null)),
    ),
  );
  if (small.size === 0) return { found: all, leftOut: [] };
  const gone = all.lost.map(({ id }) => id);
  const open = await countOpenUnmatched(tx, watch, [...small], gone);
  const { kept, leftOut } = leaveOutSmall(all.inserted, small, { open, requested });
  return { found: { ...all, inserted: kept }, leftOut };
}

/** Logs and counts what was left out. Call it after the commit. */
export function reportLeftOut(watch: WatchContext, leftOut: readonly TransferObservation[]): void {
  if (leftOut.length === 0) return;
  countDecisions(watch, { left_out: leftOut.length });
  const amounts = [...Map.groupBy(leftOut, ({ token }) => token)].map(([token, of]) => {
    const total = of.reduce((sum, { amount }) => sum + amount, 0n);
    return [token, formatAmount(total, TOKENS[token].ledgerDecimals)];
  });
  const fields = {
    transfers: leftOut.length,
    amounts: Object.fromEntries(amounts),
    txHashes: limitForLog([...new Set(leftOut.map(({ txHash }) => txHash))]),
  };
  watch.log.warn(fields, "small unmatched transfers left out");
}
