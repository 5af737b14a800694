import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { Fraction } from "#lib/platform/money/fraction.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** The price of one whole token in a currency, with its sources. */
export interface Rate {
  /** Positive decimal text, at most 12 decimals. Quotes are computed from this number, and people see it. */
  readonly price: string;
  /** "coingecko, kraken", "fixed". */
  readonly source: string;
  /** The time of the oldest price in it. */
  readonly at: Date;
}

/** Rates in the memory of this process. No network call, because callers use them inside transactions. */
export interface Rates {
  /**
   * The agreed and recent rate. Null: nothing can be quoted (docs/decisions.md, Valuation). With `maxAgeMs`, only prices that
   * are not older count.
   */
  current(token: TokenCode, currency: CurrencyCode, now: Date, maxAgeMs?: number): Rate | null;
  /** Fetches every source once. Resolves even if sources fail. */
  refresh(): Promise<void>;
  /** Refreshes now and then repeatedly until stopped. */
  start(): void;
  stop(): void;
}

/**
 * Whether a token has a price. `current`: a buy is priced with it. `last_known`: no current price, the last one is
 * shown. `none`: no price was ever known here.
 */
export const PRICE_STATES = ["current", "last_known", "none"] as const;
type PriceState = (typeof PRICE_STATES)[number];

/** A token's price in USD for display. `price` and `at` are null only in the state `none`. */
export interface TokenPrice {
  readonly state: PriceState;
  readonly price: string | null;
  readonly at: Date | null;
}

/** USD for one whole token, as in Rate.price. Null if there is no rate. */
export type UsdPriceLookup = (token: TokenCode) => Pick<Rate, "price" | "source"> | null;

/** Anything with a price: a token, or another currency ("usd"). */
export type Asset = TokenCode | CurrencyCode;
/** "btc/usd": the price of one whole unit of the left in units of the right. */
export type PricePair = `${Asset}/${Asset}`;

/** The price of a pair from one source. */
export interface SourcePrice {
  readonly pair: PricePair;
  readonly price: Fraction;
  /** The source's own time, or the time of the fetch if the source has none. */
  readonly at: Date;
  readonly source: string;
}

/** A price that enough sources agree on. */
export interface AgreedPrice {
  readonly price: Fraction;
  /** The time of the oldest price in it. */
  readonly at: Date;
  /** The names of the agreeing sources, each once, in alphabetical order. */
  readonly sources: readonly string[];
}

/** A public price service: its URLs and the parser of its answer. Fetching is the same for all. */
export interface PriceSource {
  readonly name: string;
  /** Fetched in this order until one succeeds: mirrors of one service, never two services. */
  readonly urls: readonly string[];
  readonly everyMs: number;
  /** The longest pause after failures: longer for a service that counts requests. Absent: 2 minutes. */
  readonly longestRetryMs?: number;
  /** Sent with each request: a key. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The service's names of the pairs that are asked for together, where it refuses all of them for one that it does not
   * know: that one is left out. `urls` is empty then.
   */
  readonly pairs?: { readonly names: readonly string[]; url(names: readonly string[]): string };
  /** Why it is not asked: what the operator has to set. Absent or null: it is asked. */
  readonly idle?: string | null;
  /**
   * Every usable price of an answer. Numbers of the JSON arrive as their source text. Throws on another
   * shape.
   */
  read(answer: unknown, requestedAt: Date): SourcePrice[];
}

/** Keys of services that want one, or answer more often with one. Null: none is set. */
export interface PriceKeys {
  readonly openExchangeRatesAppId: string | null;
  /** The key of CoinGecko's plan Demo, which costs nothing. */
  readonly coingecko: string | null;
  readonly coingeckoPro: string | null;
}

/** Rates with what each source said last. Fixed rates have no source. */
export interface SourcedRates extends Rates {
  sources(): readonly SourceHealth[];
}

/** The last answer of a source. */
export interface SourceHealth {
  readonly name: string;
  /** See PriceSource. */
  readonly idle: string | null;
  /** The service's names of pairs that it did not know, and that are left out. */
  readonly unknown: readonly string[];
  /** Its last usable prices. */
  readonly prices: readonly SourcePrice[];
  /** Why it failed since. Null: it did not. */
  readonly error: string | null;
}

/** Prices that a person fixed, by pair. */
export type FixedRates = ReadonlyMap<PricePair, Fraction>;
