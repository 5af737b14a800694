import { countingRefunds, creditedPayments, seenPayments } from "../refund-rules.ts";
import { acceptsPayment, hasFailed, payTermsOf } from "../rules.ts";
import type { LinkRow, PaymentTotal, QuoteRow, Refund, TokenAmount } from "../types.ts";
import {
  amountToAsk,
  evaluateTotal,
  isQuoteCurrent,
  locateExcess,
  payDecimals,
  sumShares,
  valuedPayments,
} from "../valuation-rules.ts";

/** A link and what was paid for it and given back. */
type PaidLink = LinkRow & {
  readonly totals: readonly PaymentTotal[];
  readonly refunds: readonly Refund[];
};

/** These amounts, one for each network and token. */
export function sumAmounts(totals: readonly TokenAmount[]): TokenAmount[] {
  const sums = new Map<string, TokenAmount>();
  for (const { network, token, amount } of totals) {
    const key = `${network}:${token}`;
    sums.set(key, { network, token, amount: amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()];
}

/** Everything that arrived: what counts for the link now, and what was refunded or promised of it. */
export function sumArrived({
  received,
  refunded,
}: {
  readonly received: readonly TokenAmount[];
  readonly refunded: readonly TokenAmount[];
}): TokenAmount[] {
  return sumAmounts([...received, ...refunded]).filter(({ amount }) => amount > 0n);
}

/**
 * The amount that completes the link now, for each of the `newest` quotes that is current. For a link that failed as
 * underpaid: the amount that was missing.
 */
export function computeRemaining(row: PaidLink, newest: readonly QuoteRow[], now: Date): TokenAmount[] {
  const { link, totals, refunds } = row;
  const isUnderpaid = hasFailed(link.state) && link.reason === "underpaid";
  if (!isUnderpaid && !acceptsPayment(link, now)) return [];
  const seen = seenPayments(totals, countingRefunds(refunds, now));
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

/**
 * Sums up the totals of one status, network, token and full amount between the same refunds, the newest first. A snapshot may have
 * single payments or totals of many: both become the same.
 */
function sumAlike(totals: readonly PaymentTotal[], refunds: readonly Refund[]): PaymentTotal[] {
  const groups = Map.groupBy(totals, ({ status, network, token, fullAmount, recordedAt }) =>
    [status, network, token, fullAmount, refunds.filter(({ at }) => at <= recordedAt).length].join(),
  );
  const sums = [...groups].map(([key, alike]) => {
    const newest = alike.reduce((a, b) => (b.depositId > a.depositId ? b : a));
    return { key, sum: { ...newest, amount: alike.reduce((sum, { amount }) => sum + amount, 0n) } };
  });
  // Two parts of one payment have the same id.
  sums.sort((a, b) => b.sum.depositId - a.sum.depositId || (a.key < b.key ? -1 : 1));
  return sums.map(({ sum }) => sum);
}

/** Computes the amounts credited and not needed for the link's amount, in each state of the link. Refunded amounts are not credited. */
export function computeExcess(row: PaidLink, now: Date): TokenAmount[] {
  const refunds = countingRefunds(row.refunds, now);
  const credited = creditedPayments(sumAlike(row.totals, refunds), refunds);
  const valued = credited.flatMap(({ fullAmount, ...payment }) =>
    fullAmount === null ? [] : [{ ...payment, fullAmount }],
  );
  return locateExcess(valued, payTermsOf(row));
}
