import { type PaymentPair, pairCode } from "#lib/chains/networks.ts";
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
import { compareFractions, type Fraction, fraction } from "#lib/platform/money/fraction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { rememberLast } from "#lib/platform/remember.ts";
import type { TokenAmount } from "./types.ts";

/** How long an expired quote still values a payment of exactly its asked amount (docs/decisions.md, Valuation). */
export const EXACT_MATCH_MS = 15 * 60_000;
/** Decimals of a price in computations. A rate has at most 12. */
const PRICE_DECIMALS = 18;
const SHOWN_PRICE_DECIMALS = 12;
/** Decimals of a stablecoin's amount that the payer is asked for: few people type six of them. */
const CENT_DECIMALS = 2;
const BPS = 10_000n;
/** The largest share of a link, in basis points, that is forgiven because the network carries no payment so small. */
const MAX_DUST_BPS = 50n;
/** Sums of shares are kept in units of 10^-60 of the link (ADR 0019). */
const SHARE_SCALE = 10n ** 60n;
/** Differences up to 10^-40 of the link may come from rounding. They never make a payer underpay or overpay. */
const SHARE_SLACK = SHARE_SCALE / 10n ** 40n;

/** A payment of `amount` under a quote by which `fullAmount` pays the link. Both are ledger units of `token`. */
export interface ValuedPayment {
  readonly amount: bigint;
  readonly fullAmount: bigint;
  readonly token: TokenCode;
}

/** How a link's amounts are rounded for the payer. */
export interface RoundingTerms {
  /** The link's currency, as it is stored. */
  readonly currency: string;
  /** Amounts of stablecoins are rounded up to a cent. */
  readonly roundStablecoins: boolean;
}

/** A link's terms: what may be missing or in excess before it counts as underpaid or overpaid, and its rounding. */
export interface PayTerms extends RoundingTerms {
  readonly underBps: number;
  /** The largest share of the link that may be missing, whatever `underBps` says. null: no limit. */
  readonly underMost: Fraction | null;
  readonly overBps: number;
}

/** The terms of a quote that decide whether it values a payment. Amounts are ledger units. */
export interface QuoteTerms {
  readonly id: number;
  readonly amount: bigint;
  readonly asked: bigint;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** Prices that are kept. A link's creation reads three, and the prices of a minute are few. */
const PRICES_KEPT = 500;

/** The price of one whole token in units of the currency. Throws RangeError if it is not a positive decimal. */
export const parsePrice = rememberLast(PRICES_KEPT, (price): Fraction => {
  const parsed = parseAmount(price, PRICE_DECIMALS);
  if (!parsed.ok || parsed.units <= 0n) throw new RangeError(`The price ${price} is not a positive decimal.`);
  return fraction(parsed.units, 10n ** BigInt(PRICE_DECIMALS));
});

/**
 * Decimals of the amounts that a payer is asked for: 2 for USDT, 8 for BTC. A link that is priced in the token itself is not
 * converted, so that it is not rounded either.
 */
export function payDecimals(token: TokenCode, { currency, roundStablecoins }: RoundingTerms): number {
  const { isStable, quoteDecimals } = TOKENS[token];
  return isStable && roundStablecoins && currency !== token ? CENT_DECIMALS : quoteDecimals;
}

/**
 * Ledger units of `token` that pay a link's amount (smallest units of its currency) at `price` currency per token. Rounded
 * up to `decimals` (payDecimals).
 */
export function computeQuoteAmount(
  { amount, currency }: { readonly amount: bigint; readonly currency: CurrencyCode },
  price: string,
  token: TokenCode,
  decimals: number,
): bigint {
  const { num, den } = parsePrice(price);
  const units = divCeil(amount * den * 10n ** BigInt(decimals), num * 10n ** BigInt(CURRENCIES[currency]));
  return rescale(units, decimals, TOKENS[token].ledgerDecimals);
}

/** Lowers the market's rate so that quotes ask for `markupBps` more of the token. null if the price becomes 0. */
export function markUp(rate: Rate, markupBps: number): Rate | null {
  if (markupBps === 0) return rate;
  const { num, den } = parsePrice(rate.price);
  // Truncated, not rounded: the asked amount is never below the mark-up.
  const units = (num * BPS * 10n ** BigInt(SHOWN_PRICE_DECIMALS)) / (den * (BPS + BigInt(markupBps)));
  if (units === 0n) return null;
  const price = formatAmount(units, SHOWN_PRICE_DECIMALS);
  return { ...rate, price, source: `${rate.source} +${formatAmount(BigInt(markupBps), 2)}%` };
}

/** USD cents of the amount, rounded up, from the price of one token in the link's currency and in USD. */
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

/** True if a single payment of `amount` ledger units is possible and counts. `minimum` is the operator's setting. */
export function isReceivable(amount: bigint, token: TokenCode, minimum: bigint): boolean {
  return amount >= minimum && amount >= TOKENS[token].dust;
}

/** A payment that may not have a quote yet. */
type Payment = Omit<ValuedPayment, "fullAmount"> & { readonly fullAmount: bigint | null };

/** The payments that a quote values already. */
export function valuedPayments(payments: readonly Payment[]): ValuedPayment[] {
  return payments.flatMap(({ amount, fullAmount, token }) =>
    fullAmount === null ? [] : [{ amount, fullAmount, token }],
  );
}

/**
 * The fraction of the link that payments pay together. Amounts with the same full amount are added exactly. The share
 * of each full amount is rounded up to 10^-60, so that the sum is never below the exact one (ADR 0019). Adding a
 * payment always costs the same.
 */
export class ShareSum {
  readonly #amounts = new Map<bigint, bigint>();
  #units = 0n;

  add({ amount, fullAmount }: ValuedPayment): void {
    const before = this.#amounts.get(fullAmount) ?? 0n;
    const after = before + amount;
    this.#amounts.set(fullAmount, after);
    this.#units += divCeil(after * SHARE_SCALE, fullAmount) - divCeil(before * SHARE_SCALE, fullAmount);
  }

  get share(): Fraction {
    return { num: this.#units, den: SHARE_SCALE };
  }
}

/** The fraction of the link that these payments pay together. See ShareSum. */
export function sumShares(payments: readonly ValuedPayment[]): Fraction {
  const sum = new ShareSum();
  for (const payment of payments) sum.add(payment);
  return sum.share;
}

/** Ledger units missing of `fullAmount` when `paidShare` of the link is paid, rounded up to `decimals` (payDecimals). */
export function missingAmount(
  fullAmount: bigint,
  { num, den }: Fraction,
  token: TokenCode,
  decimals: number,
): bigint {
  if (num >= den) return 0n;
  return roundUpTo(divCeil(fullAmount * (den - num), den), TOKENS[token].ledgerDecimals, decimals);
}

/**
 * The amount to ask of the customer: what is missing, but at least the network's dust limit. The part that the
 * limit adds to the missing amount is an excess like any other.
 */
export function amountToAsk(
  fullAmount: bigint,
  paidShare: Fraction,
  token: TokenCode,
  decimals: number,
): bigint {
  const missing = missingAmount(fullAmount, paidShare, token, decimals);
  const { dust } = TOKENS[token];
  return missing > 0n && missing < dust ? dust : missing;
}

/** Ledger units paid beyond `fullAmount`, rounded down to `decimals` (payDecimals). */
export function excessAmount(
  fullAmount: bigint,
  { num, den }: Fraction,
  token: TokenCode,
  decimals: number,
): bigint {
  if (num <= den) return 0n;
  return roundDownTo((fullAmount * (num - den)) / den, TOKENS[token].ledgerDecimals, decimals);
}

/** One payment of each full amount and token. Only these two decide what a payment's quote finds missing. */
function distinctQuotes(payments: readonly ValuedPayment[]): ValuedPayment[] {
  return [...new Map(payments.map((one) => [`${one.token} ${one.fullAmount}`, one])).values()];
}

/**
 * Whether these payments pay the link, and whether they overpay it. The payments' own quotes decide what is missing:
 * the link is paid if the missing amount is dust in the token of one payment and at most MAX_DUST_BPS of the link. It is
 * not overpaid if the excess is below the unit in which one payment was asked for. A difference that rounding may
 * have made (SHARE_SLACK) is decided in the payer's favor.
 */
export function evaluateTotal(
  payments: readonly ValuedPayment[],
  terms: PayTerms,
): { paid: boolean; overpaid: boolean } {
  const sum = sumShares(payments);
  const atMost = { num: sum.num + SHARE_SLACK, den: sum.den };
  const atLeast = { num: sum.num - SHARE_SLACK, den: sum.den };
  const enough = leastShare(terms);
  const most = fraction(BPS + BigInt(terms.overBps), BPS);
  const quotes = distinctQuotes(payments);
  const missesOnlyDust = ({ fullAmount, token }: ValuedPayment) =>
    missingAmount(fullAmount, atMost, token, payDecimals(token, terms)) < TOKENS[token].dust;
  const missesLittle = compareFractions(atMost, fraction(BPS - MAX_DUST_BPS, BPS)) >= 0;
  const paid =
    payments.length > 0 &&
    (compareFractions(atMost, enough) >= 0 || (missesLittle && quotes.some(missesOnlyDust)));
  return { paid, overpaid: paid && compareFractions(atLeast, most) > 0 && hasExcess(payments, terms) };
}

/** True if these payments pay the link and, by the quote of each of them, at least one unit more. */
function hasExcess(payments: readonly ValuedPayment[], terms: RoundingTerms): boolean {
  const sum = sumShares(payments);
  const isAboveUnit = ({ fullAmount, token }: ValuedPayment) =>
    excessAmount(fullAmount, sum, token, payDecimals(token, terms)) > 0n;
  return payments.length > 0 && distinctQuotes(payments).every(isAboveUnit);
}

/** A payment whose token came on a network. */
type PlacedPayment = ValuedPayment & PaymentPair & { readonly depositId: number };

/**
 * Locates the excess of these payments over the link, for each network and token, rounded down to the unit of the asked amounts.
 * The newest payments paid it, so that no network and token has more excess than came there.
 * Payments below that unit are left out: they would only make the rest uneven.
 */
export function locateExcess(payments: readonly PlacedPayment[], terms: RoundingTerms): TokenAmount[] {
  if (!hasExcess(payments, terms)) return [];
  const roundDown = (amount: bigint, token: TokenCode) =>
    roundDownTo(amount, TOKENS[token].ledgerDecimals, payDecimals(token, terms));
  let over = sumShares(payments).num - SHARE_SCALE;
  const found = new Map<string, TokenAmount>();
  for (const payment of payments.toSorted((a, b) => b.depositId - a.depositId)) {
    const { network, token, amount, fullAmount } = payment;
    if (roundDown(amount, token) === 0n) continue;
    const share = divCeil(amount * SHARE_SCALE, fullAmount);
    const taken = share <= over ? amount : (over * fullAmount) / SHARE_SCALE;
    over = share <= over ? over - share : 0n;
    const before = found.get(pairCode(payment))?.amount ?? 0n;
    found.set(pairCode(payment), { network, token, amount: before + taken });
  }
  return [...found.values()]
    .map((one) => ({ ...one, amount: roundDown(one.amount, one.token) }))
    .filter(({ amount }) => amount > 0n);
}

/** The smallest share of the link that the tolerance accepts as the whole. */
function leastShare({ underBps, underMost }: PayTerms): Fraction {
  const under = fraction(BigInt(underBps), BPS);
  const { num, den } = underMost !== null && compareFractions(underMost, under) < 0 ? underMost : under;
  return fraction(den - num, den);
}

/** True from the quote's start until before its end. */
export function isQuoteLive(
  { validFrom, validUntil }: Pick<QuoteTerms, "validFrom" | "validUntil">,
  timestamp: Date,
): boolean {
  return validFrom <= timestamp && timestamp < validUntil;
}

/** True if the quote can be shown and paid now. Ignores the start: the clock of another process may be ahead. */
export function isQuoteCurrent(quote: Pick<QuoteTerms, "validUntil">, now: Date): boolean {
  return now < quote.validUntil;
}

/**
 * Chooses the quote that values a payment of `amount`, first seen at `seenAt`. `quotes` are those of its network and
 * token. `paidShare` is the fraction of the link paid before it, `decimals` those of the asked amounts (payDecimals). A
 * quote whose exact amount was paid comes before the live one: the payer pays what the page showed, and the page may show a
 * new amount while the payment is on its way. null if no quote fits: the caller creates one.
 */
export function chooseQuote<Quote extends QuoteTerms>(
  payment: {
    readonly amount: bigint;
    readonly token: TokenCode;
    readonly decimals: number;
    readonly seenAt: Date;
  },
  quotes: readonly Quote[],
  paidShare: Fraction,
): Quote | null {
  const { amount, token, decimals, seenAt } = payment;
  const newestFirst = [...quotes].sort((a, b) => b.id - a.id);
  const live = newestFirst.find((quote) => isQuoteLive(quote, seenAt));
  const matchesAmount = (quote: Quote) =>
    quote.asked === amount || amountToAsk(quote.amount, paidShare, token, decimals) === amount;
  if (live && matchesAmount(live)) return live;
  const seen = seenAt.getTime();
  // A block's clock may be behind ours, so that a quote seems to start after the payment for which it was shown.
  const isNear = (quote: Quote) =>
    seen <= quote.validUntil.getTime() + EXACT_MATCH_MS && seen >= quote.validFrom.getTime() - EXACT_MATCH_MS;
  return newestFirst.find((quote) => isNear(quote) && matchesAmount(quote)) ?? live ?? null;
}

/**
 * Creates the quote of a link at `rate` when `paidShare` of the link is paid. It does not outlast the link's
 * deadline. After the deadline a quote only values late payments.
 */
export function newQuote(
  link: { readonly amount: bigint; readonly currency: CurrencyCode; readonly expiresAt: Date },
  token: TokenCode,
  rate: Rate,
  options: {
    readonly paidShare: Fraction;
    /** See payDecimals. */
    readonly decimals: number;
    readonly now: Date;
    readonly quoteMinutes: number;
  },
): Omit<QuoteTerms, "id"> & { readonly rate: string; readonly rateSource: string; readonly rateAt: Date } {
  const { paidShare, decimals, now, quoteMinutes } = options;
  const amount = computeQuoteAmount(link, rate.price, token, decimals);
  const expiry = new Date(now.getTime() + quoteMinutes * 60_000);
  return {
    amount,
    asked: amountToAsk(amount, paidShare, token, decimals),
    rate: rate.price,
    rateSource: rate.source,
    rateAt: rate.at,
    validFrom: now,
    validUntil: now < link.expiresAt && link.expiresAt < expiry ? link.expiresAt : expiry,
  };
}
