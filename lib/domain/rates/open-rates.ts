import type { Logger } from "pino";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type FetchSourceOptions, fetchSource, UnknownPairs } from "./fetch-source.ts";
import {
  DECLARED,
  fixedRate,
  listPairsOf,
  marketRate,
  parseFixedRates,
  readSourcePrice,
  refreshDelayMs,
} from "./rules.ts";
import { binance } from "./sources/binance.ts";
import { bitstamp } from "./sources/bitstamp.ts";
import { coinbase } from "./sources/coinbase.ts";
import { coingecko } from "./sources/coingecko.ts";
import { currencyApi } from "./sources/currency-api.ts";
import { exchangeRateApi } from "./sources/exchange-rate-api.ts";
import { kraken } from "./sources/kraken.ts";
import { okx } from "./sources/okx.ts";
import { openExchangeRates } from "./sources/open-exchange-rates.ts";
import type { PriceKeys, PricePair, PriceSource, Rates, SourcedRates, SourcePrice } from "./types.ts";

export interface OpenRatesOptions {
  /** "usdt/usd=1,btc/usd=60000,usd/ngn=1500": no source is fetched. Null: market rates. */
  readonly fixed: string | null;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
  readonly sources?: readonly PriceSource[];
  /** Absent: no key is set. */
  readonly keys?: PriceKeys;
  /** Pause between two fetches of a source, instead of the source's own. */
  readonly refreshMs?: number;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

/**
 * Opens market rates or fixed rates. Throws if `fixed` is malformed. Fetches nothing before start or
 * refresh.
 */
export function openRates(options: OpenRatesOptions): SourcedRates {
  return options.fixed === null ? openMarketRates(options) : openFixedRates(options.fixed, options.log);
}

const TOKEN_CODES = Object.keys(TOKENS) as TokenCode[];

function openFixedRates(text: string, log: Logger): SourcedRates {
  const parsed = parseFixedRates(text);
  if (!parsed.ok) throw new Error(`invalid fixed rates: ${parsed.reason}: "${parsed.entry}"`);
  const current: Rates["current"] = (token, currency, now) => fixedRate(parsed.rates, token, currency, now);
  return {
    current,
    refresh: async () => {},
    sources: () => [],
    start() {
      const now = new Date();
      const tokens = TOKEN_CODES.filter((token) => current(token, "usd", now) === null);
      if (tokens.length > 0) log.warn({ tokens }, "fixed rates leave out tokens: they have no price in usd");
    },
    stop: () => {},
  };
}

const NO_KEYS: PriceKeys = { openExchangeRatesAppId: null, coingecko: null, coingeckoPro: null };

function allSources(keys: PriceKeys): PriceSource[] {
  const fiat = [exchangeRateApi(), currencyApi(), openExchangeRates(keys.openExchangeRatesAppId)];
  return [coingecko(keys), binance(), kraken(), coinbase(), bitstamp(), okx(), ...fiat];
}

/** The last prices of a source, and its failures. Prices stay until they are too old to count. */
interface SourceState {
  readonly source: PriceSource;
  readonly unknown: UnknownPairs;
  prices: readonly SourcePrice[];
  failures: number;
  error: string | null;
  timer: NodeJS.Timeout | null;
}

/** Fetches a source, and logs whether it fails. Returns whether it has new prices. */
async function refreshSource(
  state: SourceState,
  given: Omit<FetchSourceOptions, "unknown">,
  log: Logger,
): Promise<boolean> {
  const { source, unknown } = state;
  try {
    const known = unknown.list(given.now()).length;
    state.prices = await fetchSource(source, { ...given, unknown });
    const pairs = unknown.list(given.now());
    if (pairs.length > known) log.warn({ source: source.name, pairs }, "rate source does not know pairs");
    if (state.failures > 0) log.info({ source: source.name }, "rate source works again");
    state.failures = 0;
    state.error = null;
    return true;
  } catch (err) {
    if (given.signal.aborted) return false;
    state.failures += 1;
    state.error = err instanceof Error ? err.message : String(err);
    const level = state.failures === 1 ? "warn" : "debug";
    log[level]({ source: source.name, failures: state.failures, err }, "rate source failed");
    return false;
  }
}

function createState(source: PriceSource): SourceState {
  return { source, unknown: new UnknownPairs(), prices: [], failures: 0, error: null, timer: null };
}

function openMarketRates(options: OpenRatesOptions): SourcedRates {
  const { log, fetch: fetcher = fetch, timeoutMs = 10_000, now = () => new Date() } = options;
  const sources = options.sources ?? allSources(options.keys ?? NO_KEYS);
  const states = sources.map(createState);
  const asked = states.filter(({ source }) => (source.idle ?? null) === null);
  /** All prices by pair, until a source has new ones. */
  let byPair: ReadonlyMap<PricePair, readonly SourcePrice[]> | null = null;
  let stopping = new AbortController();
  let running = false;

  const current: Rates["current"] = (token, currency, at, maxAgeMs = Number.POSITIVE_INFINITY) => {
    byPair ??= Map.groupBy(
      states.flatMap((state) => state.prices),
      ({ pair }) => pair,
    );
    const prices = listPairsOf(token, currency).flatMap((pair) => byPair?.get(pair) ?? []);
    const recent = prices.filter((one) => at.getTime() - one.at.getTime() <= maxAgeMs);
    return marketRate([...recent, ...declaredPrices(at)], token, currency, at);
  };

  const refreshOne = async (state: SourceState): Promise<void> => {
    const { signal } = stopping;
    const given = { fetch: fetcher, timeoutMs, signal, now };
    if (await refreshSource(state, given, log)) byPair = null;
  };

  /** Fetches a source again and again. `signal` belongs to the start that began it. */
  async function keepFresh(state: SourceState, signal: AbortSignal): Promise<void> {
    await refreshOne(state);
    if (signal.aborted) return;
    const pace = { ...state.source, everyMs: options.refreshMs ?? state.source.everyMs };
    const delayMs = refreshDelayMs(pace, state.failures, Math.random());
    state.timer = setTimeout(() => void keepFresh(state, signal), delayMs);
    state.timer.unref();
  }

  return {
    current,
    async refresh() {
      await Promise.all(asked.map(refreshOne));
    },
    sources: () =>
      states.map(({ source: { name, idle = null }, unknown, prices, error }) => ({
        name,
        idle,
        prices,
        error,
        unknown: unknown.list(now()),
      })),
    start() {
      if (running) return;
      running = true;
      for (const { name, idle } of sources)
        if (idle) log.info({ source: name }, `rate source is idle: ${idle}`);
      for (const state of asked) void keepFresh(state, stopping.signal);
    },
    stop() {
      running = false;
      stopping.abort();
      stopping = new AbortController();
      for (const state of states) if (state.timer) clearTimeout(state.timer);
    },
  };
}

/**
 * USD prices of tokens that the exchanges no longer trade, as decimal text. BUSD: its issuer must redeem
 * one for one US dollar (https://www.dfs.ny.gov/consumers/alerts/Paxos_and_Binance).
 */
const DECLARED_USD: Partial<Record<TokenCode, string>> = { busd: "1" };

/** The declared prices at `now`. They never become old, because they are not from a market. */
function declaredPrices(now: Date): SourcePrice[] {
  return Object.entries(DECLARED_USD).flatMap(([token, price]) =>
    readSourcePrice(DECLARED, `${token as TokenCode}/usd`, price, now),
  );
}
