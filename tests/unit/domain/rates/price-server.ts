import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { type OpenRatesOptions, openRates } from "#lib/domain/rates/open-rates.ts";
import { FIAT_CURRENCIES } from "#lib/domain/rates/rules.ts";
import { binance } from "#lib/domain/rates/sources/binance.ts";
import { coingecko } from "#lib/domain/rates/sources/coingecko.ts";
import { currencyApi } from "#lib/domain/rates/sources/currency-api.ts";
import { exchangeRateApi } from "#lib/domain/rates/sources/exchange-rate-api.ts";
import { kraken } from "#lib/domain/rates/sources/kraken.ts";
import type { PriceSource, SourcedRates } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const NOW = new Date("2026-03-01T12:00:00.000Z");
export const log = pino({ level: "silent" });
/** How long a test waits for an answer that never comes. */
const LATE_MS = 60_000;

let server: Server;
let opened: SourcedRates[];

/** One server that answers as all sources. Healthy at the start of each test. */
export const world = { baseUrl: "", answers: {} as Record<string, Answer>, requests: [] as string[] };

/** Starts it for each test of the file that calls this. A worker loads this module once for all of its files. */
export function startForEachTest(): void {
  beforeEach(async () => {
    world.requests = [];
    opened = [];
    world.answers = healthyAnswers();
    server = createServer((request, response) => {
      const name = new URL(request.url ?? "", "http://localhost").pathname.split("/")[1] ?? "";
      world.requests.push(request.url ?? "");
      const answer = world.answers[name];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    world.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(async () => {
    for (const rates of opened) rates.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

export const json =
  (text: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(text);

export const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

export function coingeckoText(btc: string, at = NOW): string {
  const time = seconds(at);
  return `{"bitcoin":{"usd":${btc},"last_updated_at":${time}},"tether":{"usd":0.9995,"last_updated_at":${time}},"binance-usd":{"usd":null,"last_updated_at":null}}`;
}

export function binanceText(btc: string, at = NOW): string {
  return `[{"symbol":"BTCUSDT","openPrice":"59000.00","highPrice":"61000.00","lowPrice":"58000.00","lastPrice":"${btc}","volume":"1234.5","quoteVolume":"1","openTime":${at.getTime() - 86_400_000},"closeTime":${at.getTime()},"firstId":1,"lastId":2,"count":2}]`;
}

export function krakenText(btc: string): string {
  const row = (last: string) =>
    `{"a":["${last}","1","1.000"],"b":["${last}","1","1.000"],"c":["${last}","0.001"],"v":["1","2"],"p":["1","2"],"t":[10,20],"l":["1","1"],"h":["1","1"],"o":"1"}`;
  return `{"error":[],"result":{"XXBTZUSD":${row(btc)},"USDTZUSD":${row("1.00050")}}}`;
}

export const FIAT = FIAT_CURRENCIES.map((code, i) => `"${code.toUpperCase()}":${i + 1}.5`).join();

export function exchangeRateText(at = NOW): string {
  return `{"result":"success","provider":"https://www.exchangerate-api.com","time_last_update_unix":${seconds(at)},"time_last_update_utc":"x","time_eol_unix":0,"base_code":"USD","rates":{"USD":1,${FIAT}}}`;
}

export function currencyApiText(date = "2026-03-01"): string {
  return `{"date":"${date}","usd":{"1inch":3.2,"btc":0.0000166,${FIAT.toLowerCase()}}}`;
}

function coinbaseText(): string {
  const fiat = FIAT.replace(/:([0-9.]+)/g, ':"$1"');
  return `{"data":{"currency":"USD","rates":{"USD":"1.0",${fiat},"BTC":"0.0000166666666667","USDT":"1.0"}}}`;
}

function healthyAnswers(): Record<string, Answer> {
  return {
    coingecko: json(coingeckoText("60000.123456789")),
    binance: json(binanceText("60000.10000000")),
    kraken: json(krakenText("60000.20000")),
    coinbase: json(coinbaseText()),
    er: json(exchangeRateText()),
    mirror1: json(currencyApiText()),
    mirror2: json(currencyApiText()),
  };
}

export const cryptoSources = () => [
  coingecko(undefined, `${world.baseUrl}/coingecko`),
  binance(`${world.baseUrl}/binance`),
  kraken(`${world.baseUrl}/kraken`),
];
export const fiatSources = () => [
  exchangeRateApi(`${world.baseUrl}/er`),
  currencyApi([`${world.baseUrl}/mirror1`, `${world.baseUrl}/mirror2`]),
];

export function open(sources: readonly PriceSource[], more: Partial<OpenRatesOptions> = {}): SourcedRates {
  const rates = openRates({ fixed: null, log, sources, now: () => NOW, timeoutMs: LATE_MS, ...more });
  opened.push(rates);
  return rates;
}

/** The rate after one refresh of all sources. */
export async function ask(
  sources: readonly PriceSource[],
  currency: CurrencyCode = "usd",
  timeoutMs = LATE_MS,
) {
  const rates = open(sources, { timeoutMs });
  await rates.refresh();
  return rates.current("btc", currency, NOW);
}

export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + LATE_MS;
  while (!condition()) {
    assert.ok(Date.now() < deadline, "the condition came in time");
    await pause(5);
  }
}

/** Answers that give no price, or a wrong one. */
export const faults: Record<string, Answer> = {
  "an error 500": (_request, response) => response.writeHead(500).end("oops"),
  "a refusal 429": (_request, response) => response.writeHead(429, { "retry-after": "60" }).end("{}"),
  "a redirect to nowhere": (_request, response) => response.writeHead(302, { location: "/nowhere" }).end(),
  "half a body": (_request, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"bitcoin":{"usd":6');
    setImmediate(() => response.destroy());
  },
  garbage: json("<html>maintenance</html>"),
  "JSON of another shape": json('{"error":["EService:Unavailable"]}'),
  "an empty object": json("{}"),
  "a body without end": (_request, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024, " ");
    const pump = () => {
      while (response.write(chunk)) if (response.destroyed) return;
      response.once("drain", pump);
    };
    pump();
  },
  "silence for longer than the timeout": () => {},
  "headers, then silence": (_request, response) => {
    response.writeHead(200);
    response.write("{");
  },
  "a price of zero": json(coingeckoText("0")),
  "a negative price": json(coingeckoText("-60000")),
  "a price of 1e400": json(coingeckoText("1e400")),
  "a price as words": json('{"bitcoin":{"usd":"much","last_updated_at":1}}'),
  "a price of an hour ago": json(coingeckoText("60000", new Date(NOW.getTime() - 3_600_000))),
  "a price of tomorrow": json(coingeckoText("60000", new Date(NOW.getTime() + 86_400_000))),
  "a price ten percent too high": json(coingeckoText("66000")),
  "no time": json('{"bitcoin":{"usd":60000}}'),
};
