import { fixedRate, parseFixedRates } from "#lib/domain/rates/rules.ts";
import type { Rate, Rates } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { computeUsdCents, markUp } from "./valuation-rules.ts";

export interface RateTerms {
  readonly rateMarkupBps: number;
  readonly fixedRates: string | null;
}

/**
 * The rate a merchant's quotes are made with: the one it fixed, else the market's with its mark-up. null when there
 * is none, or when what it fixed cannot be read: then nothing is quoted, and no payment is held up by it.
 */
export function findQuoteRate(
  rates: Rates,
  terms: RateTerms,
  token: TokenCode,
  currency: CurrencyCode,
  now: Date,
): Rate | null {
  if (terms.fixedRates) {
    const parsed = parseFixedRates(terms.fixedRates);
    if (!parsed.ok) return null;
    const fixed = fixedRate(parsed.rates, token, currency, now);
    if (fixed) return fixed;
  }
  const market = rates.current(token, currency, now);
  return market && markUp(market, terms.rateMarkupBps);
}

/** Tokens whose price in both the link's currency and USD tells what the link is worth, best first. */
const YARDSTICKS = ["usdt", "btc"] as const satisfies readonly TokenCode[];

/** USD cents of the amount at the market's rates, rounded up; null when no rate leads there. */
export function estimateUsdCents(
  rates: Rates,
  amount: bigint,
  currency: CurrencyCode,
  now: Date,
): bigint | null {
  if (currency === "usd") return amount;
  for (const token of YARDSTICKS) {
    const inCurrency = rates.current(token, currency, now);
    const inUsd = rates.current(token, "usd", now);
    if (inCurrency && inUsd) return computeUsdCents(amount, currency, inCurrency.price, inUsd.price);
  }
  return null;
}
