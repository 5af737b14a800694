import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import {
  addFractions,
  compareFractions,
  type Fraction,
  fraction,
  ONE,
} from "#lib/platform/money/fraction.ts";
import { isTokenCode, type TokenCode } from "#lib/platform/money/tokens.ts";
import type {
  AgreedPrice,
  Asset,
  FixedRates,
  PricePair,
  PriceSource,
  Rate,
  Rates,
  SourcePrice,
  TokenPrice,
  UsdPriceLookup,
} from "./types.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * A price counts while it is younger than `maxAgeMs`. Prices agree if none is further than `toleranceBps`
 * basis points from their median. Fiat services publish once a day, some through caches of half a day.
 */
const AGREEMENT = {
  crypto: { maxAgeMs: 5 * MINUTE, toleranceBps: 100n },
  fiat: { maxAgeMs: 48 * HOUR, toleranceBps: 250n },
} as const;
/** How far the clock of a source can be ahead of our clock. */
const MAX_AHEAD_MS = 2 * MINUTE;

const PRICE_DECIMALS = 12;
/** A price that has fewer significant digits than this after 12 decimals is too coarse for quotes. */
const MIN_PRICE_UNITS = 10n ** 5n;

/**
 * The most digits before and after the point in the price of a source. Longer numbers are wrong, and slow to
 * compute with.
 */
const SOURCE_DECIMALS = 36;
const LARGEST_SOURCE_PRICE = 10n ** 18n;

/**
 * Parses a positive price from decimal text, exactly. Null for zero, negative and absurdly large numbers,
 * and for other text.
 */
export function parsePrice(text: string): Fraction | null {
  const parsed = parseAmount(text, SOURCE_DECIMALS, LARGEST_SOURCE_PRICE * 10n ** BigInt(SOURCE_DECIMALS));
  if (!parsed.ok || parsed.units <= 0n) return null;
  return fraction(parsed.units, 10n ** BigInt(SOURCE_DECIMALS));
}

function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.num, a.den * b.den);
}

function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den, a.den * b.num);
}

/** The inverse of a price. */
export function invert(price: Fraction): Fraction {
  return fraction(price.den, price.num);
}

function median(sorted: readonly Fraction[]): Fraction {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? ONE;
  if (sorted.length % 2 === 1) return upper;
  const lower = sorted[sorted.length / 2 - 1] ?? ONE;
  return divide(addFractions(lower, upper), { num: 2n, den: 1n });
}

function within(price: Fraction, middle: Fraction, toleranceBps: bigint): boolean {
  const low = multiply(middle, { num: 10_000n - toleranceBps, den: 10_000n });
  const high = multiply(middle, { num: 10_000n + toleranceBps, den: 10_000n });
  return compareFractions(price, low) >= 0 && compareFractions(price, high) <= 0;
}

function oldest(dates: readonly Date[]): Date {
  return new Date(Math.min(...dates.map((date) => date.getTime())));
}

function combine(price: Fraction, parts: readonly AgreedPrice[]): AgreedPrice {
  const sources = [...new Set(parts.flatMap((part) => part.sources))].sort();
  return { price, at: oldest(parts.map((part) => part.at)), sources };
}

/** The name of the source of prices that no service publishes (declaredPrices). */
export const DECLARED = "declared";

/**
 * The median of the recent prices that agree. At least two must agree, and more than half of the recent
 * ones. Two against two have no agreement. A declared price counts as one, and alone if there is no other.
 */
function agree(prices: readonly SourcePrice[], kind: keyof typeof AGREEMENT, now: Date): AgreedPrice | null {
  const { maxAgeMs, toleranceBps } = AGREEMENT[kind];
  const fresh = prices
    .filter((sourcePrice) => {
      const age = now.getTime() - sourcePrice.at.getTime();
      return age <= maxAgeMs && age >= -MAX_AHEAD_MS;
    })
    .sort((a, b) => compareFractions(a.price, b.price));
  const [first] = fresh;
  if (first === undefined || (fresh.length === 1 && first.source !== DECLARED)) return null;
  if (fresh.length === 1) return { price: first.price, at: first.at, sources: [first.source] };
  const middle = median(fresh.map((sourcePrice) => sourcePrice.price));
  const agreeing = fresh.filter((sourcePrice) => within(sourcePrice.price, middle, toleranceBps));
  if (agreeing.length < 2 || agreeing.length * 2 <= fresh.length) return null;
  return {
    price: median(agreeing.map((sourcePrice) => sourcePrice.price)),
    at: oldest(agreeing.map((sourcePrice) => sourcePrice.at)),
    sources: agreeing.map((sourcePrice) => sourcePrice.source).sort(),
  };
}

/** The price of a token in USD. Prices in USDT count too, converted with the agreed USDT price. */
function agreedInUsd(prices: readonly SourcePrice[], token: Asset, now: Date): AgreedPrice | null {
  const direct = prices.filter((sourcePrice) => sourcePrice.pair === `${token}/usd`);
  const inUsdt = prices.filter((sourcePrice) => token !== "usdt" && sourcePrice.pair === `${token}/usdt`);
  const usdt = inUsdt.length > 0 ? agreedInUsd(prices, "usdt", now) : null;
  const converted = usdt
    ? inUsdt.map((sourcePrice) => ({
        ...sourcePrice,
        price: multiply(sourcePrice.price, usdt.price),
        at: oldest([sourcePrice.at, usdt.at]),
      }))
    : [];
  return agree([...direct, ...converted], "crypto", now);
}

function agreedPrice(prices: readonly SourcePrice[], pair: PricePair, now: Date): AgreedPrice | null {
  if (pair.startsWith("usd/")) {
    const ofPair = prices.filter((sourcePrice) => sourcePrice.pair === pair);
    return agree(ofPair, "fiat", now);
  }
  const [token, quote] = pair.split("/") as [Asset, Asset];
  return quote === "usd" ? agreedInUsd(prices, token, now) : null;
}

type Lookup = (pair: PricePair) => AgreedPrice | null;

/**
 * The price of the pair itself if it is known, else through USD: multiplied by USD/fiat, or divided by the
 * other token's USD price.
 */
function priceThrough(lookup: Lookup, token: TokenCode, currency: CurrencyCode): AgreedPrice | null {
  const direct = lookup(`${token}/${currency}`);
  if (direct !== null || currency === "usd") return direct;
  const inUsd = lookup(`${token}/usd`);
  if (inUsd === null) return null;
  if (isTokenCode(currency)) {
    const other = lookup(`${currency}/usd`);
    return other && combine(divide(inUsd.price, other.price), [inUsd, other]);
  }
  const fiat = lookup(`usd/${currency}`);
  return fiat && combine(multiply(inUsd.price, fiat.price), [inUsd, fiat]);
}

/**
 * Decimal text with at most 12 decimals, half rounded away from zero. Null if the price is too small for 6
 * significant digits.
 */
export function formatPrice(price: Fraction): string | null {
  const units = (2n * price.num * 10n ** BigInt(PRICE_DECIMALS) + price.den) / (2n * price.den);
  return units < MIN_PRICE_UNITS ? null : formatAmount(units, PRICE_DECIMALS);
}

/** The pairs that decide the price of a token in a currency. */
export function listPairsOf(token: TokenCode, currency: CurrencyCode): readonly PricePair[] {
  const tokens = [token, "usdt" as const, ...(isTokenCode(currency) ? [currency] : [])];
  const inUsd = [...new Set(tokens)].flatMap((one): PricePair[] => [`${one}/usd`, `${one}/usdt`]);
  return isTokenCode(currency) || currency === "usd" ? inUsd : [...inUsd, `usd/${currency}`];
}

/** Returns the prices of US dollars in a currency by source, and the price that they agree on: from the prices of any pairs. */
export function compareFiat(
  prices: readonly SourcePrice[],
  currency: CurrencyCode,
  now: Date,
): { readonly prices: readonly SourcePrice[]; readonly agreed: AgreedPrice | null } {
  const pair: PricePair = `usd/${currency}`;
  return { prices: prices.filter((one) => one.pair === pair), agreed: agreedPrice(prices, pair, now) };
}

/** The market rate from the prices of the sources. Null if too few agree or they are too old. */
export function marketRate(
  prices: readonly SourcePrice[],
  token: TokenCode,
  currency: CurrencyCode,
  now: Date,
): Rate | null {
  if (token === currency) return { price: "1", source: "same token", at: now };
  const agreed = priceThrough((pair) => agreedPrice(prices, pair, now), token, currency);
  if (agreed === null) return null;
  const price = formatPrice(agreed.price);
  return price === null ? null : { price, source: agreed.sources.join(", "), at: agreed.at };
}

/** Returns the shown price of a token in USD: the current one, else the last one that is stored. */
export function describePrice(current: Rate | null, stored: Pick<Rate, "price" | "at"> | null): TokenPrice {
  if (current !== null) return { state: "current", price: current.price, at: current.at };
  if (stored !== null) return { state: "last_known", price: stored.price, at: stored.at };
  return { state: "none", price: null, at: null };
}

/** The rate from fixed prices. Null if they do not connect the token with the currency. */
export function fixedRate(
  fixed: FixedRates,
  token: TokenCode,
  currency: CurrencyCode,
  now: Date,
): Rate | null {
  if (token === currency) return { price: "1", source: "fixed", at: now };
  const lookup: Lookup = (pair) => {
    const price = fixed.get(pair);
    return price ? { price, at: now, sources: ["fixed"] } : null;
  };
  const found = priceThrough(lookup, token, currency);
  const price = found && formatPrice(found.price);
  return price === null ? null : { price, source: "fixed", at: now };
}

export type FixedRatesProblem = "malformed" | "unknown_pair" | "bad_price" | "duplicate";

function isFixablePair(base: string, quote: string): boolean {
  if (base === quote || !isCurrencyCode(quote)) return false;
  return isTokenCode(base) || (base === "usd" && !isTokenCode(quote));
}

/**
 * Parses "usdt/usd=1,btc/usd=60000,usd/ngn=1500": token/currency or usd/fiat, each pair once. `entry` is the
 * wrong entry.
 */
export function parseFixedRates(
  text: string,
): { ok: true; rates: FixedRates } | { ok: false; reason: FixedRatesProblem; entry: string } {
  const rates = new Map<PricePair, Fraction>();
  for (const entry of text.split(",").map((part) => part.trim())) {
    const match = /^([a-z]+)\/([a-z]+)\s*=\s*(\S+)$/.exec(entry);
    if (match === null) return { ok: false, reason: "malformed", entry };
    const [, base = "", quote = "", priceText = ""] = match;
    if (!isFixablePair(base, quote)) return { ok: false, reason: "unknown_pair", entry };
    const pair = `${base}/${quote}` as PricePair;
    if (rates.has(pair)) return { ok: false, reason: "duplicate", entry };
    const price = parsePrice(priceText);
    if (price === null) return { ok: false, reason: "bad_price", entry };
    rates.set(pair, price);
  }
  return { ok: true, rates };
}

/** The fiat currencies that a USD source must have: every link currency except USD and the tokens. */
export const FIAT_CURRENCIES: readonly CurrencyCode[] = (Object.keys(CURRENCIES) as CurrencyCode[]).filter(
  (code) => code !== "usd" && !isTokenCode(code),
);

/** Returns whether a text is the code of a fiat currency, USD among them. */
export function isFiatCurrency(text: string): boolean {
  return isCurrencyCode(text) && !isTokenCode(text);
}

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 2 * MINUTE;

/**
 * The pause before the next fetch of a source, after `failures` consecutive failures. It does not grow to `everyMs`: prices that
 * are published once an hour would be missing for so long after an outage. `random` is in [0, 1) and gives a fifth of jitter, so
 * that many processes do not fetch at the same time.
 */
export function refreshDelayMs(
  { everyMs, longestRetryMs = LONGEST_RETRY_MS }: Pick<PriceSource, "everyMs" | "longestRetryMs">,
  failures: number,
  random: number,
): number {
  const retry = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20);
  const pause = failures === 0 ? everyMs : Math.min(retry, longestRetryMs);
  return Math.round(pause * (0.9 + 0.2 * random));
}

/**
 * Reads one price from the answer of a source. Empty if the price or its time is missing or absurd: the other prices of
 * the answer still count.
 */
export function readSourcePrice(
  source: string,
  pair: PricePair,
  priceText: string | null | undefined,
  at: Date | null,
): SourcePrice[] {
  const price = priceText ? parsePrice(priceText) : null;
  return price && at ? [{ pair, price, at, source }] : [];
}

/** Parses a time in whole units since 1970, of `unitMs` milliseconds each. Null if the text is not such a time. */
export function readTime(text: string | null | undefined, unitMs: number): Date | null {
  return text && /^[0-9]{1,13}$/.test(text) ? new Date(Number(text) * unitMs) : null;
}

/** The same lookup, which asks for each token only once. */
export function oncePerToken<Found>(
  find: (token: TokenCode) => Found | null,
): (token: TokenCode) => Found | null {
  const kept = new Map<TokenCode, Found | null>();
  return (token) => {
    const known = kept.get(token);
    if (known !== undefined) return known;
    const found = find(token);
    kept.set(token, found);
    return found;
  };
}

/** A lookup of USD prices at `now`. It asks for the price of each token only once. */
export function createUsdPriceLookup(rates: Rates, now: Date): UsdPriceLookup {
  return oncePerToken((token) => rates.current(token, "usd", now));
}
