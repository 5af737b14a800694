import type { Logger } from "pino";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { declaredPrices } from "./declared-prices.ts";
import { fetchSource } from "./fetch-source.ts";
import { fixedRate, listPairsOf, marketRate, parseFixedRates, refreshDelayMs } from "./rules.ts";
import { binance } from "./sources/binance.ts";
import { coinbase } from "./sources/coinbase.ts";
import { coingecko } from "./sources/coingecko.ts";
import { currencyApi } from "./sources/currency-api.ts";
import { exchangeRateApi } from "./sources/exchange-rate-api.ts";
import { kraken } from "./sources/kraken.ts";
import { openExchangeRates } from "./sources/open-exchange-rates.ts";
import type { PricePair, PriceSource, Rates, SourcedRates, SourcePrice } from "./types.ts";

export interface OpenRatesOptions {
  /** "usdt/usd=1,btc/usd=60000,usd/ngn=1500": no source is fetched. Null: market rates. */
  readonly fixed: string | null;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
  readonly sources?: readonly PriceSource[];
  /** Of openexchangerates.org. Null or absent: that source is idle. */
  readonly openExchangeRatesAppId?: string | null;
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

function allSources(appId: string | null): PriceSource[] {
  const fiat = [exchangeRateApi(), currencyApi(), openExchangeRates(appId)];
  return [coingecko(), binance(), kraken(), coinbase(), ...fiat];
}

/** The last prices of a source, and its failures. Prices stay until they are too old to count. */
interface SourceState {
  readonly source: PriceSource;
  prices: readonly SourcePrice[];
  failures: number;
  error: string | null;
  timer: NodeJS.Timeout | null;
}

function openMarketRates(options: OpenRatesOptions): SourcedRates {
  const { log, fetch: fetcher = fetch, timeoutMs = 10_000, now = () => new Date() } = options;
  const sources = options.sources ?? allSources(options.openExchangeRatesAppId ?? null);
  const states = sources.map(
    (source): SourceState => ({ source, prices: [], failures: 0, error: null, timer: null }),
  );
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

  async function refreshOne(state: SourceState): Promise<void> {
    const { signal } = stopping;
    try {
      state.prices = await fetchSource(state.source, { fetch: fetcher, timeoutMs, signal, now });
      byPair = null;
      if (state.failures > 0) log.info({ source: state.source.name }, "rate source works again");
      state.failures = 0;
      state.error = null;
    } catch (err) {
      if (signal.aborted) return;
      state.failures += 1;
      state.error = err instanceof Error ? err.message : String(err);
      const level = state.failures === 1 ? "warn" : "debug";
      log[level]({ source: state.source.name, failures: state.failures, err }, "rate source failed");
    }
  }

  /** Fetches a source again and again. `signal` belongs to the start that began it. */
  async function keepFresh(state: SourceState, signal: AbortSignal): Promise<void> {
    await refreshOne(state);
    if (signal.aborted) return;
    const everyMs = options.refreshMs ?? state.source.everyMs;
    state.timer = setTimeout(
      () => void keepFresh(state, signal),
      refreshDelayMs(everyMs, state.failures, Math.random()),
    );
    state.timer.unref();
  }

  return {
    current,
    async refresh() {
      await Promise.all(asked.map(refreshOne));
    },
    sources: () =>
      states.map(({ source: { name, idle = null }, prices, error }) => ({ name, idle, prices, error })),
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
