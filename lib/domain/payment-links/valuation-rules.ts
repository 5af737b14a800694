import type { Rate } from "#lib/domain/rates/types.ts";
import {
  divCeil,
  formatAmount,
  parseAmount,
  rescale,
  roundDownTo,
  roundUpTo,
} from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";
import {
  addFractions,
  compareFractions,
  type Fraction,
  fraction,
  ONE,
  subtractFractions,
  ZERO,
} from "#lib/platform/money/fraction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

/** How long after its end a quote still takes a payment of exactly what it asked (docs/decisions.md, Valuation). */
export const EXACT_MATCH_MS = 15 * 60_000;
/** Decimals a price is computed with; a rate has at most 12. */
const PRICE_DECIMALS = 18;
const SHOWN_PRICE_DECIMALS = 12;
const BPS = 10_000n;

/** A payment of `amount` under a quote by which `whole` pays the link; both ledger units of `token`. */
export interface ValuedPayment {
  readonly amount: bigint;
  readonly fullAmount: bigint;
  readonly token: TokenCode;
}

/** Basis points of the link by which less still pays it, and more is not yet too much. */
export interface Tolerance {
  readonly underBps: number;
  readonly overBps: number;
}

/** What a quote's choice looks at. Ledger units. */
export interface QuoteTerms {
  readonly id: number;
  readonly amount: bigint;
  readonly asked: bigint;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** Currency units one whole token costs. Throws RangeError on a price that is no positive decimal. */
function parsePrice(price: string): Fraction {
  const parsed = parseAmount(price, PRICE_DECIMALS);
  if (!parsed.ok || parsed.units <= 0n) throw new RangeError(`not a price: ${price}`);
  return fraction(parsed.units, 10n ** BigInt(PRICE_DECIMALS));
}

/**
 * Ledger units of `token` that pay `amount` (smallest units of `currency`) at `price` currency per token, rounded up
 * to what a customer is asked in: 6 decimals for USDT, 8 for BTC.
 */
export function computeQuoteAmount(
  amount: bigint,
  currency: CurrencyCode,
  price: string,
  token: TokenCode,
): bigint {
  const { quoteDecimals, ledgerDecimals } = TOKENS[token];
  const { num, den } = parsePrice(price);
  const units = divCeil(
    amount * den * 10n ** BigInt(quoteDecimals),
    num * 10n ** BigInt(CURRENCIES[currency]),
  );
  return rescale(units, quoteDecimals, ledgerDecimals);
}

/** The market's rate with the merchant's mark-up: that many basis points more of the token are asked. null: too small to write. */
export function markUp(rate: Rate, markupBps: number): Rate | null {
  if (markupBps === 0) return rate;
  const { num, den } = parsePrice(rate.price);
  // Cut, not rounded: what is asked is never less than the mark-up says.
  const units = (num * BPS * 10n ** BigInt(SHOWN_PRICE_DECIMALS)) / (den * (BPS + BigInt(markupBps)));
  if (units === 0n) return null;
  const price = formatAmount(units, SHOWN_PRICE_DECIMALS);
  return { ...rate, price, source: `${rate.source} +${formatAmount(BigInt(markupBps), 2)}%` };
}

/** USD cents of the whole, rounded up, by what one token costs in the link's currency and in USD. */
export function computeUsdCents(
  amount: bigint,
  currency: CurrencyCode,
  inCurrency: string,
  inUsd: string,
): bigint {
  const price = parsePrice(inCurrency);
  const usd = parsePrice(inUsd);
  return divCeil(
    amount * 100n * price.den * usd.num,
    10n ** BigInt(CURRENCIES[currency]) * price.num * usd.den,
  );
}

/** Can a payment of this many ledger units be made and count by itself? `minimum`: the least that the operator set. */
export function isReceivable(amount: bigint, token: TokenCode, minimum: bigint): boolean {
  return amount >= minimum && amount >= TOKENS[token].dust;
}

/** The part of the link that the payment pays, exactly. */
export function linkShare(part: ValuedPayment): Fraction {
  return fraction(part.amount, part.fullAmount);
}

export function sumShares(parts: readonly ValuedPayment[]): Fraction {
  return parts.reduce((sum, part) => addFractions(sum, linkShare(part)), ZERO);
}

/** Ledger units still missing of `whole` when `sum` of the link is paid, rounded up to the quote's unit. */
export function missingAmount(whole: bigint, sum: Fraction, token: TokenCode): bigint {
  const missing = subtractFractions(ONE, sum);
  if (missing.num <= 0n) return 0n;
  const { ledgerDecimals, quoteDecimals } = TOKENS[token];
  return roundUpTo(divCeil(whole * missing.num, missing.den), ledgerDecimals, quoteDecimals);
}

/** What a customer is asked to pay: the remainder, but never an output that the network would not carry. */
export function amountToAsk(whole: bigint, sum: Fraction, token: TokenCode): bigint {
  const remainder = missingAmount(whole, sum, token);
  const { dust } = TOKENS[token];
  return remainder > 0n && remainder < dust ? dust : remainder;
}

/** Ledger units paid beyond `whole`, rounded down to the quote's unit. */
export function excessAmount(whole: bigint, sum: Fraction, token: TokenCode): bigint {
  const beyond = subtractFractions(sum, ONE);
  if (beyond.num <= 0n) return 0n;
  const { ledgerDecimals, quoteDecimals } = TOKENS[token];
  return roundDownTo((whole * beyond.num) / beyond.den, ledgerDecimals, quoteDecimals);
}

/**
 * Do these payments pay the link, and too much of it? What is missing is judged by the payments' own quotes: a
 * remainder that is dust in one of their tokens is paid, an excess below one quote unit in one of them is none.
 */
export function evaluateTotal(
  parts: readonly ValuedPayment[],
  tolerance: Tolerance,
): { paid: boolean; overpaid: boolean } {
  const sum = sumShares(parts);
  const enough = fraction(BPS - BigInt(tolerance.underBps), BPS);
  const most = fraction(BPS + BigInt(tolerance.overBps), BPS);
  const dusty = ({ fullAmount, token }: ValuedPayment) =>
    missingAmount(fullAmount, sum, token) < TOKENS[token].dust;
  const paid = parts.length > 0 && (compareFractions(sum, enough) >= 0 || parts.some(dusty));
  const beyond = ({ fullAmount, token }: ValuedPayment) => excessAmount(fullAmount, sum, token) > 0n;
  return { paid, overpaid: paid && compareFractions(sum, most) > 0 && parts.every(beyond) };
}

/** A quote is live from its start up to, not including, its end. */
export function isQuoteLive(quote: Pick<QuoteTerms, "validFrom" | "validUntil">, at: Date): boolean {
  return quote.validFrom <= at && at < quote.validUntil;
}

/** A quote to show and to pay now. One made an instant after `now`, by another process's clock, is one too. */
export function isQuoteCurrent(quote: Pick<QuoteTerms, "validUntil">, now: Date): boolean {
  return now < quote.validUntil;
}

/**
 * The quote, of those for its network and token, that values a payment of `amount` first seen at `seenAt`, when `sum`
 * of the link had been paid before it. null: none, so that one has to be made.
 */
export function chooseQuote<Q extends QuoteTerms>(
  payment: { readonly amount: bigint; readonly token: TokenCode; readonly seenAt: Date },
  quotes: readonly Q[],
  sum: Fraction,
): Q | null {
  const newestFirst = [...quotes].sort((a, b) => b.id - a.id);
  const live = newestFirst.find((quote) => isQuoteLive(quote, payment.seenAt));
  if (live) return live;
  const asksIt = (quote: Q) =>
    quote.asked === payment.amount || amountToAsk(quote.amount, sum, payment.token) === payment.amount;
  const seen = payment.seenAt.getTime();
  // A block's clock may be behind ours: the quote may seem to have begun after the payment that it was shown for.
  const near = (quote: Q) =>
    seen <= quote.validUntil.getTime() + EXACT_MATCH_MS && seen >= quote.validFrom.getTime() - EXACT_MATCH_MS;
  return newestFirst.find((quote) => near(quote) && asksIt(quote)) ?? null;
}

/** The quote that `rate` makes for a link of `amount`, of which `sum` is paid. After the link's end it only values late money. */
export function newQuote(
  link: { readonly amount: bigint; readonly currency: CurrencyCode; readonly expiresAt: Date },
  token: TokenCode,
  rate: Rate,
  sum: Fraction,
  times: { readonly now: Date; readonly quoteMinutes: number },
): Omit<QuoteTerms, "id"> & { readonly rate: string; readonly rateSource: string; readonly rateAt: Date } {
  const { now, quoteMinutes } = times;
  const amount = computeQuoteAmount(link.amount, link.currency, rate.price, token);
  const lapses = new Date(now.getTime() + quoteMinutes * 60_000);
  return {
    amount,
    asked: amountToAsk(amount, sum, token),
    rate: rate.price,
    rateSource: rate.source,
    rateAt: rate.at,
    validFrom: now,
    validUntil: now < link.expiresAt && link.expiresAt < lapses ? link.expiresAt : lapses,
  };
}
