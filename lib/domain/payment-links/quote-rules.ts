import { isSamePair, type PaymentPair } from "#lib/chains/networks.ts";
import { fixedRate, oncePerToken, parseFixedRates } from "#lib/domain/rates/rules.ts";
import type { Rate, Rates } from "#lib/domain/rates/types.ts";
import { type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { rememberLast } from "#lib/platform/remember.ts";
import { payTermsOf } from "./rules.ts";
import type { LinkRow, NewQuoteRow, PaymentLinkDeps } from "./types.ts";
import { computeUsdCents, isQuoteCurrent, markUp, newQuote, payDecimals } from "./valuation-rules.ts";

/** A merchant's own terms for rates. */
export interface RateTerms {
  readonly rateMarkupBps: number;
  readonly fixedRates: string | null;
}

/** The fixed rates of this many merchants stay parsed: every page and every new link asks for them. */
const FIXED_RATES_KEPT = 100;
const readFixedRates = rememberLast(FIXED_RATES_KEPT, parseFixedRates);

/**
 * The rate for a merchant's quotes: its fixed rate, or the market's rate with its mark-up. null if there is none, or
 * if the fixed rates are not valid: then nothing is quoted, and payments are still credited.
 */
export function findQuoteRate(
  rates: Rates,
  terms: RateTerms,
  { token, currency }: { readonly token: TokenCode; readonly currency: CurrencyCode },
  now: Date,
): Rate | null {
  if (terms.fixedRates) {
    const parsed = readFixedRates(terms.fixedRates);
    if (!parsed.ok) return null;
    const fixed = fixedRate(parsed.rates, token, currency, now);
    if (fixed) return fixed;
  }
  const market = rates.current(token, currency, now);
  return market && markUp(market, terms.rateMarkupBps);
}

/** The rates of a merchant's quotes at one time. Null: there is none. */
export type QuoteRates = (token: TokenCode) => Rate | null;

/** A lookup of findQuoteRate in one currency at `now`. It finds each token's rate only once: several networks carry one token. */
export function createQuoteRates(
  rates: Rates,
  terms: RateTerms,
  currency: CurrencyCode,
  now: Date,
): QuoteRates {
  return oncePerToken((token) => findQuoteRate(rates, terms, { token, currency }, now));
}

/** The rate for the quotes of a link in a token, or null. */
export function findLinkRate(
  rates: Rates,
  { link, merchant }: LinkRow,
  token: TokenCode,
  now: Date,
): Rate | null {
  // A stored link can have a currency that this version no longer knows.
  if (!isCurrencyCode(link.currency)) return null;
  return findQuoteRate(rates, merchant, { token, currency: link.currency }, now);
}

/**
 * A new quote for a link of which `paidShare` is paid. `minimumReceive`: the operator's setting, in ledger units. null
 * if there is no rate.
 */
export function draftQuote(
  { rates, settings }: Pick<PaymentLinkDeps, "rates" | "settings">,
  row: LinkRow,
  { network, token }: PaymentPair,
  terms: { readonly paidShare: Fraction; readonly minimumReceive: bigint; readonly now: Date },
): NewQuoteRow | null {
  const { link } = row;
  const { paidShare, minimumReceive, now } = terms;
  const rate = findLinkRate(rates, row, token, now);
  if (!rate) return null;
  const decimals = payDecimals(token, payTermsOf(row));
  return {
    paymentLinkId: link.id,
    network,
    token,
    minimumReceive,
    ...newQuote(link, token, rate, { paidShare, decimals, now, quoteMinutes: settings.quoteMinutes }),
  };
}

/** The selected pairs of a link that have no current quote. */
export function pairsWithoutQuote<Wallet extends PaymentPair>(
  wallets: readonly Wallet[],
  quotes: readonly (PaymentPair & { readonly validUntil: Date })[],
  now: Date,
): Wallet[] {
  return wallets.filter(
    (wallet) => !quotes.some((quote) => isSamePair(quote, wallet) && isQuoteCurrent(quote, now)),
  );
}

/** Tokens that convert the link's currency to USD, in order of preference. */
const CONVERSION_TOKENS = ["usdt", "btc"] as const satisfies readonly TokenCode[];

/** USD cents of the amount at the market's rates, rounded up. null if no token has a price in both currencies. */
export function estimateUsdCents(
  rates: Rates,
  amount: bigint,
  currency: CurrencyCode,
  now: Date,
): bigint | null {
  if (currency === "usd") return amount;
  for (const token of CONVERSION_TOKENS) {
    const inCurrency = rates.current(token, currency, now);
    const inUsd = rates.current(token, "usd", now);
    if (inCurrency && inUsd) return computeUsdCents(amount, currency, inCurrency.price, inUsd.price);
  }
  return null;
}
