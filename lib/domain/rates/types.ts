import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** What one whole token costs in a currency, and on whose word. */
export interface Rate {
  /** Positive decimal text, at most 12 decimals: the very number quotes are computed from and people are shown. */
  readonly price: string;
  /** "coingecko, kraken", "fixed". */
  readonly source: string;
  /** Time of the oldest figure in it. */
  readonly at: Date;
}

/** Prices held in memory by this process; never a network call where a caller waits in a transaction. */
export interface Rates {
  /** The agreed and fresh rate, or null: then nothing is quoted (docs/decisions.md, Valuation). */
  current(token: TokenCode, currency: CurrencyCode, now: Date): Rate | null;
  /**
   * The rate in USD now; failing that the last one agreed on since the process started, however old. Only to be shown:
   * nothing is computed with it. null: none was ever known.
   */
  latestUsd(token: TokenCode, now: Date): Rate | null;
  /** Fetches every source once; resolves whatever they answer. */
  refresh(): Promise<void>;
  /** Refreshes now and then on until stopped. */
  start(): void;
  stop(): void;
}

/** USD for one whole token as in Rate.price; null: nobody knows. */
export type UsdPriceLookup = (token: TokenCode) => string | null;

/** Anything with a price: a token, or a currency that is none ("usd"). */
export type Asset = TokenCode | CurrencyCode;
/** "btc/usd": what one whole of the left costs in the right. */
export type PricePair = `${Asset}/${Asset}`;

/** One source's word on one pair. */
export interface SourcePrice {
  readonly pair: PricePair;
  readonly price: Fraction;
  /** The source's own time where it tells one, else when we asked. */
  readonly at: Date;
  readonly source: string;
}

/** What enough figures agree on. */
export interface AgreedPrice {
  readonly price: Fraction;
  /** Time of the oldest figure in it. */
  readonly at: Date;
  /** Names of the sources that agree, each once, in alphabetical order. */
  readonly sources: readonly string[];
}

/** A public price service: where to ask and how to read the answer. The loading is the same for all. */
export interface PriceSource {
  readonly name: string;
  /** Asked in this order until one answers well: mirrors of one service, never two services. */
  readonly urls: readonly string[];
  readonly everyMs: number;
  /** Every usable figure of an answer, whose JSON numbers arrive as their source text. Throws on another shape. */
  read(answer: unknown, askedAt: Date): SourcePrice[];
}

/** Prices set by hand, by pair. */
export type FixedRates = ReadonlyMap<PricePair, Fraction>;
