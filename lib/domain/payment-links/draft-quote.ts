import { isCurrencyCode } from "#lib/platform/money/currencies.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import { findQuoteRate } from "./quote-rules.ts";
import type { LinkRow, NewQuoteRow } from "./store.ts";
import type { NetworkToken, PaymentLinkDeps } from "./types.ts";
import { newQuote } from "./valuation-rules.ts";

/** A quote of the pair for a link of which `sum` is paid; null when there is no rate. */
export function draftQuote(
  deps: PaymentLinkDeps,
  { link, merchant }: LinkRow,
  { network, token }: NetworkToken,
  sum: Fraction,
  now: Date,
): NewQuoteRow | null {
  const { currency } = link;
  if (!isCurrencyCode(currency)) return null;
  const rate = findQuoteRate(deps.rates, merchant, token, currency, now);
  if (!rate) return null;
  const times = { now, quoteMinutes: deps.settings.quoteMinutes };
  return {
    paymentLinkId: link.id,
    network,
    token,
    ...newQuote({ ...link, currency }, token, rate, sum, times),
  };
}
