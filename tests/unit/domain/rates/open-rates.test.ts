import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { describeAgreement, describeFiat, describeSources } from "#lib/cli/rate-commands.ts";
import { FIXED_RATES } from "#lib/demo/demo-files.ts";
import { type OpenRatesOptions, openRates } from "#lib/domain/rates/open-rates.ts";
import { FIAT_CURRENCIES } from "#lib/domain/rates/rules.ts";
import { binance } from "#lib/domain/rates/sources/binance.ts";
import { coinbase } from "#lib/domain/rates/sources/coinbase.ts";
import { coingecko } from "#lib/domain/rates/sources/coingecko.ts";
import { currencyApi } from "#lib/domain/rates/sources/currency-api.ts";
import { exchangeRateApi } from "#lib/domain/rates/sources/exchange-rate-api.ts";
import { kraken } from "#lib/domain/rates/sources/kraken.ts";
import { openExchangeRates } from "#lib/domain/rates/sources/open-exchange-rates.ts";
import type { PriceSource, SourcedRates } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const NOW = new Date("2026-03-01T12:00:00.000Z");
const log = pino({ level: "silent" });

let server: Server;
let baseUrl: string;
let answers: Record<string, Answer>;
let requests: string[];
let opened: SourcedRates[];

beforeEach(async () => {
  requests = [];
  opened = [];
  answers = healthyAnswers();
  server = createServer((request, response) => {
    const name = new URL(request.url ?? "", "http://localhost").pathname.split("/")[1] ?? "";
    requests.push(request.url ?? "");
    const answer = answers[name];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const rates of opened) rates.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json =
  (text: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(text);

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

function coingeckoText(btc: string, at = NOW): string {
  const time = seconds(at);
  return `{"bitcoin":{"usd":${btc},"last_updated_at":${time}},"tether":{"usd":0.9995,"last_updated_at":${time}},"binance-usd":{"usd":null,"last_updated_at":null}}`;
}

function binanceText(btc: string, at = NOW): string {
  return `[{"symbol":"BTCUSDT","openPrice":"59000.00","highPrice":"61000.00","lowPrice":"58000.00","lastPrice":"${btc}","volume":"1234.5","quoteVolume":"1","openTime":${at.getTime() - 86_400_000},"closeTime":${at.getTime()},"firstId":1,"lastId":2,"count":2}]`;
}

function krakenText(btc: string): string {
  const row = (last: string) =>
    `{"a":["${last}","1","1.000"],"b":["${last}","1","1.000"],"c":["${last}","0.001"],"v":["1","2"],"p":["1","2"],"t":[10,20],"l":["1","1"],"h":["1","1"],"o":"1"}`;
  return `{"error":[],"result":{"XXBTZUSD":${row(btc)},"USDTZUSD":${row("1.00050")}}}`;
}

const FIAT = FIAT_CURRENCIES.map((code, i) => `"${code.toUpperCase()}":${i + 1}.5`).join();

function exchangeRateText(at = NOW): string {
  return `{"result":"success","provider":"https://www.exchangerate-api.com","time_last_update_unix":${seconds(at)},"time_last_update_utc":"x","time_eol_unix":0,"base_code":"USD","rates":{"USD":1,${FIAT}}}`;
}

function currencyApiText(date = "2026-03-01"): string {
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

const cryptoSources = () => [
  coingecko(`${baseUrl}/coingecko`),
  binance(`${baseUrl}/binance`),
  kraken(`${baseUrl}/kraken`),
];
const fiatSources = () => [
  exchangeRateApi(`${baseUrl}/er`),
  currencyApi([`${baseUrl}/mirror1`, `${baseUrl}/mirror2`]),
];

function open(sources: readonly PriceSource[], more: Partial<OpenRatesOptions> = {}): SourcedRates {
  const rates = openRates({ fixed: null, log, sources, now: () => NOW, timeoutMs: 2_000, ...more });
  opened.push(rates);
  return rates;
}

/** The rate after one refresh of all sources. */
async function ask(sources: readonly PriceSource[], currency: CurrencyCode = "usd", timeoutMs = 2_000) {
  const rates = open(sources, { timeoutMs });
  await rates.refresh();
  return rates.current("btc", currency, NOW);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, "the condition came in time");
    await pause(5);
  }
}

test("gives every link currency a rate with the names of its sources", async () => {
  const rates = open([...cryptoSources(), coinbase(`${baseUrl}/coinbase`), ...fiatSources()]);
  await rates.refresh();
  for (const currency of [...FIAT_CURRENCIES, "usd", "btc", "usdt"] as const) {
    assert.ok(rates.current("btc", currency, NOW), currency);
    assert.ok(rates.current("usdt", currency, NOW), currency);
  }
  assert.equal(rates.current("btc", "usd", NOW)?.source, "binance, coinbase, coingecko, kraken");
  assert.equal(
    rates.current("btc", "ngn", NOW)?.source,
    "binance, coinbase, coingecko, currency-api, exchangerate-api, kraken",
  );
});

test("a source that wants a key is idle without it, says so at the start, and counts with it", async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const idle = open([...cryptoSources(), openExchangeRates(null, `${baseUrl}/oxr`)], { log: logger });
  idle.start();
  assert.deepEqual(
    lines.map(({ source, msg }) => [source, msg]),
    [["openexchangerates", "rate source is idle: set OPEN_EXCHANGE_RATES_APP_ID to use it"]],
  );
  idle.stop();
  answers.oxr = json(`{"timestamp":${seconds(NOW)},"base":"USD","rates":{${FIAT}}}`);
  answers.mirror1 = answers.mirror2 = faults["an error 500"]!;
  const withKey = [...cryptoSources(), ...fiatSources(), openExchangeRates("a key", `${baseUrl}/oxr`)];
  const rates = open(withKey);
  await rates.refresh();
  assert.ok(requests.includes("/oxr/api/latest.json?app_id=a%20key"));
  assert.ok(rates.current("btc", "jpy", NOW)?.source.includes("exchangerate-api"));
  const rows = describeSources(rates.sources());
  assert.deepEqual(
    rows.filter(({ error }) => error !== null).map(({ source, error }) => [source, error]),
    [["currency-api", "the source answered with status 500"]],
  );
  assert.equal(requests.filter((url) => url.startsWith("/oxr")).length, 1);
});

test("shows what each source says of a currency, who agrees, and on what nobody does", async () => {
  answers.mirror1 = json(currencyApiText().replace(/"kwd":[0-9.]+/, '"kwd":999'));
  answers.er = json(exchangeRateText().replace(/"JPY":[0-9.]+,/, ""));
  const rates = open([...cryptoSources(), ...fiatSources()]);
  await rates.refresh();
  const sources = rates.sources();
  assert.deepEqual(
    describeFiat(sources, "kes", NOW).map(({ source, agrees }) => [source, agrees]),
    [
      ["exchangerate-api", true],
      ["currency-api", true],
    ],
  );
  assert.deepEqual(
    describeFiat(sources, "kwd", NOW).map(({ agrees }) => agrees),
    [false, false],
  );
  const all = FIAT_CURRENCIES.length;
  assert.equal(
    describeAgreement(sources, NOW),
    `at least two sources agree on ${all - 2} of ${all} currencies; not on jpy, kwd`,
  );
});

test("reads prices from the text of the answer, digit by digit", async () => {
  // No double holds either of these numbers. Their mean is exact only without floats.
  answers.coingecko = json(coingeckoText("60000.123456789012"));
  answers.kraken = json(krakenText("60000.123456789010"));
  const [gecko, , krak] = cryptoSources();
  assert.equal((await ask([gecko!, krak!]))?.price, "60000.123456789011");
});

test("has no rate before the first answer", () => {
  assert.equal(open(cryptoSources()).current("btc", "usd", NOW), null);
});

test("prices BUSD without a market at its declared price", async () => {
  const rates = open(cryptoSources());
  assert.deepEqual(rates.current("busd", "usd", NOW), { price: "1", source: "declared", at: NOW });
  await rates.refresh();
  assert.equal(rates.current("busd", "usd", NOW)?.source, "declared");
});

for (const [market, expected] of [
  ["0.998", { price: "0.999", source: "coingecko, declared", at: NOW }],
  // The market does not believe the promise any more.
  ["0.9", null],
] as const) {
  test(`compares the declared price of BUSD with a market price of ${market}`, async () => {
    answers.coingecko = json(`{"binance-usd":{"usd":${market},"last_updated_at":${seconds(NOW)}}}`);
    const rates = open([coingecko(`${baseUrl}/coingecko`)]);
    await rates.refresh();
    assert.deepEqual(rates.current("busd", "usd", NOW), expected);
  });
}

test("reports at the start which tokens the fixed rates leave out", () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  openRates({ fixed: FIXED_RATES, log: logger }).start();
  openRates({ fixed: FIXED_RATES.replace("shib/usd", "shib/eur"), log: logger }).start();
  assert.deepEqual(
    lines.map(({ msg, tokens }) => [msg, tokens]),
    [["fixed rates leave out tokens: they have no price in usd", ["shib"]]],
  );
});

test("never shows market rates with fixed rates, and fetches no source", async () => {
  const rates = openRates({ fixed: "usdt/usd=1,btc/usd=60000,usd/ngn=1500", log, sources: cryptoSources() });
  rates.start();
  await rates.refresh();
  assert.deepEqual(rates.current("usdt", "ngn", NOW), { price: "1500", source: "fixed", at: NOW });
  assert.deepEqual(requests, []);
  rates.stop();
});

test("rejects malformed fixed rates at the start", () => {
  assert.throws(() => openRates({ fixed: "btc/usd=zero", log }), /bad_price.*btc\/usd=zero/);
});

const faults: Record<string, Answer> = {
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
  "a price ten per cent too high": json(coingeckoText("66000")),
  "no time": json('{"bitcoin":{"usd":60000}}'),
};

for (const [name, fault] of Object.entries(faults)) {
  test(`uses the other two sources with ${name} from one source`, async () => {
    answers.coingecko = fault;
    answers.kraken = json(krakenText("60000"));
    const sources = [...cryptoSources(), coinbase(`${baseUrl}/coinbase`)];
    const rate = await ask(sources, "usd", 300);
    assert.equal(rate?.source, "binance, coinbase, kraken");
  });

  test(`has no rate with ${name} from one of two sources`, async () => {
    answers.coingecko = fault;
    const [gecko, , krak] = cryptoSources();
    assert.equal(await ask([gecko!, krak!], "usd", 300), null);
  });
}

test("cuts off an endless body long before the timeout", async () => {
  answers.coingecko = faults["a body without end"]!;
  const started = Date.now();
  await ask([coingecko(`${baseUrl}/coingecko`)], "usd", 600_000);
  assert.ok(Date.now() - started < 60_000);
});

test("treats Kraken's errors with status 200 as failures", async () => {
  answers.kraken = json('{"error":["EQuery:Unknown asset pair"]}');
  const [gecko, , krak] = cryptoSources();
  assert.equal(await ask([gecko!, krak!]), null);
});

test("has no rate with only one working source", async () => {
  for (const name of ["binance", "coingecko"]) answers[name] = faults["an error 500"]!;
  assert.equal(await ask(cryptoSources()), null);
});

test("has a USD rate but no naira rate with one fiat source", async () => {
  answers.er = faults["an error 500"]!;
  assert.ok(await ask([...cryptoSources(), ...fiatSources()], "usd"));
  assert.equal(await ask([...cryptoSources(), ...fiatSources()], "ngn"), null);
});

test("ignores fiat rates of three days ago", async () => {
  answers.er = json(exchangeRateText(new Date(NOW.getTime() - 3 * 86_400_000)));
  assert.equal(await ask([...cryptoSources(), ...fiatSources()], "ngn"), null);
});

test("uses a mirror if the first URL fails", async () => {
  answers.mirror1 = faults["an error 500"]!;
  assert.ok(await ask([...cryptoSources(), ...fiatSources()], "ngn"));
  assert.ok(requests.includes("/mirror2/v1/currencies/usd.min.json"));
});

test("keeps the last prices of a failing source until they are too old", async () => {
  const rates = open(cryptoSources());
  await rates.refresh();
  for (const name of Object.keys(answers)) answers[name] = faults["an error 500"]!;
  await rates.refresh();
  assert.ok(rates.current("btc", "usd", new Date(NOW.getTime() + 4 * 60_000)));
  assert.equal(rates.current("btc", "usd", new Date(NOW.getTime() + 6 * 60_000)), null);
});

test("fetches repeatedly after the start, and not after the stop", async () => {
  const rates = open([kraken(`${baseUrl}/kraken`)], { refreshMs: 5 });
  rates.start();
  await until(() => requests.length >= 5);
  assert.equal(rates.current("btc", "btc", NOW)?.price, "1");
  rates.stop();
  const asked = requests.length;
  // Another instance continues for many rounds meanwhile.
  const other = open([coingecko(`${baseUrl}/coingecko`)], { refreshMs: 5 });
  other.start();
  await until(() => requests.filter((url) => url.startsWith("/coingecko")).length >= 10);
  assert.ok(requests.filter((url) => url.startsWith("/kraken")).length <= asked + 1);
});

test("starts again after a stop", async () => {
  const rates = open(cryptoSources(), { refreshMs: 10 });
  rates.start();
  rates.stop();
  rates.start();
  await until(() => rates.current("btc", "usd", NOW) !== null);
});

test("aborts open requests on a stop", async () => {
  let closed = 0;
  for (const name of Object.keys(answers)) {
    answers[name] = (request) => void request.socket.once("close", () => closed++);
  }
  const rates = open(cryptoSources(), { timeoutMs: 60_000 });
  rates.start();
  await until(() => requests.length === 3);
  rates.stop();
  await until(() => closed === 3);
});
