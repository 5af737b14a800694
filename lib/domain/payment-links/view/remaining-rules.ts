import { acceptsPayment, hasFailed, payTermsOf } from "../rules.ts";
import type { LinkRow, PaymentTotal, QuoteRow, TokenAmount } from "../types.ts";
import {
  amountToAsk,
  evaluateTotal,
  excessAmount,
  isQuoteCurrent,
  payDecimals,
  sumShares,
  valuedPayments,
} from "../valuation-rules.ts";

/** The payments that are seen or credited. Dropped ones (2) do not count. */
export function seenPayments<Payment extends Pick<PaymentTotal, "status">>(
  payments: readonly Payment[],
): Payment[] {
  return payments.filter(({ status }) => status !== 2);
}

/** The amounts of these totals, one for each network and token. */
export function sumTotals(totals: readonly PaymentTotal[]): TokenAmount[] {
  const sums = new Map<string, TokenAmount>();
  for (const { network, token, amount } of totals) {
    const key = `${network}:${token}`;
    sums.set(key, { network, token, amount: amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()];
}

/**
 * The amount that completes the link now, for each of the `newest` quotes that is current. For a link that failed as
 * underpaid: the amount that was missing.
 */
export function computeRemaining(
  row: LinkRow & { readonly totals: readonly PaymentTotal[] },
  newest: readonly QuoteRow[],
  now: Date,
): TokenAmount[] {
  const { link, totals } = row;
  const isUnderpaid = hasFailed(link.state) && link.reason === "underpaid";
  if (!isUnderpaid && !acceptsPayment(link, now)) return [];
  const seen = seenPayments(totals);
  const hasUnvalued = seen.some(({ fullAmount, belowMinimum }) => fullAmount === null && !belowMinimum);
  const terms = payTermsOf(row);
  const valued = valuedPayments(seen);
  // The missing amount is not known while a payment has no value.
  if (hasUnvalued || evaluateTotal(valued, terms).paid) return [];
  const paidShare = sumShares(valued);
  return newest
    .filter((quote) => isUnderpaid || isQuoteCurrent(quote, now))
    .map(({ network, token, amount }) => ({
      network,
      token,
      amount: amountToAsk(amount, paidShare, token, payDecimals(token, terms)),
    }));
}

/** The overpaid amount, only in the token of the last counted payment: several networks are not several refunds. */
export function computeExcess({
  link,
  totals,
}: Pick<LinkRow, "link"> & { readonly totals: readonly PaymentTotal[] }): TokenAmount[] {
  const counted = totals.filter(({ announced }) => announced === "completed");
  const last = counted.reduce<PaymentTotal | null>((a, b) => (a && a.depositId > b.depositId ? a : b), null);
  if (link.state !== "overpaid" || !last?.fullAmount) return [];
  const { network, token, fullAmount } = last;
  const amount = excessAmount(fullAmount, sumShares(valuedPayments(counted)), token);
  return amount > 0n ? [{ network, token, amount }] : [];
}
