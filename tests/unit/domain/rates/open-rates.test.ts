import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { describeAgreement, describeFiat, describeSources } from "#lib/cli/rate-commands.ts";
import { FIXED_RATES } from "#lib/demo/demo-files.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { FIAT_CURRENCIES } from "#lib/domain/rates/rules.ts";
import { coinbase } from "#lib/domain/rates/sources/coinbase.ts";
import { coingecko } from "#lib/domain/rates/sources/coingecko.ts";
import { kraken } from "#lib/domain/rates/sources/kraken.ts";
import { openExchangeRates } from "#lib/domain/rates/sources/open-exchange-rates.ts";
import type { PriceSource } from "#lib/domain/rates/types.ts";
import {
  ask,
  coingeckoText,
  cryptoSources,
  currencyApiText,
  exchangeRateText,
  FIAT,
  faults,
  fiatSources,
  json,
  krakenText,
  log,
  NOW,
  open,
  seconds,
  startForEachTest,
  until,
  world,
} from "./price-server.ts";

startForEachTest();

test("gives every link currency a rate with the names of its sources", async () => {
  const rates = open([...cryptoSources(), coinbase(`${world.baseUrl}/coinbase`), ...fiatSources()]);
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
  const idle = open([...cryptoSources(), openExchangeRates(null, `${world.baseUrl}/oxr`)], { log: logger });
  idle.start();
  assert.deepEqual(
    lines.map(({ source, msg }) => [source, msg]),
    [["openexchangerates", "rate source is idle: set OPEN_EXCHANGE_RATES_APP_ID to use it"]],
  );
  idle.stop();
  world.answers.oxr = json(`{"timestamp":${seconds(NOW)},"base":"USD","rates":{${FIAT}}}`);
  world.answers.mirror1 = world.answers.mirror2 = faults["an error 500"]!;
  const withKey = [...cryptoSources(), ...fiatSources(), openExchangeRates("a key", `${world.baseUrl}/oxr`)];
  const rates = open(withKey);
  await rates.refresh();
  assert.ok(world.requests.includes("/oxr/api/latest.json?app_id=a%20key"));
  assert.ok(rates.current("btc", "jpy", NOW)?.source.includes("exchangerate-api"));
  const rows = describeSources(rates.sources());
  assert.deepEqual(
    rows.filter(({ error }) => error !== null).map(({ source, error }) => [source, error]),
    [["currency-api", "the source answered with status 500"]],
  );
  assert.equal(world.requests.filter((url) => url.startsWith("/oxr")).length, 1);
});

test("shows what each source says of a currency, who agrees, and on what nobody does", async () => {
  world.answers.mirror1 = json(currencyApiText().replace(/"kwd":[0-9.]+/, '"kwd":999'));
  world.answers.er = json(exchangeRateText().replace(/"JPY":[0-9.]+,/, ""));
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
    `at least two sources agree on ${all - 2} of ${all} currencies; not on jpy, kwd: links in them wait for a price`,
  );
});

test("reads prices from the text of the answer, digit by digit", async () => {
  // No double holds either of these numbers. Their mean is exact only without floats.
  world.answers.coingecko = json(coingeckoText("60000.123456789012"));
  world.answers.kraken = json(krakenText("60000.123456789010"));
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
    world.answers.coingecko = json(`{"binance-usd":{"usd":${market},"last_updated_at":${seconds(NOW)}}}`);
    const rates = open([coingecko(undefined, `${world.baseUrl}/coingecko`)]);
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
  assert.deepEqual(world.requests, []);
  rates.stop();
});

test("rejects malformed fixed rates at the start", () => {
  assert.throws(() => openRates({ fixed: "btc/usd=zero", log }), /bad_price.*btc\/usd=zero/);
});

/** The rate if Coingecko is silent: its timeout passes as soon as the other sources have answered. */
async function askDespiteSilence(t: TestContext, sources: readonly PriceSource[]) {
  const late = new AbortController();
  const { mock } = t.mock.method(AbortSignal, "timeout", () => late.signal);
  const rates = open(sources);
  const refreshed = rates.refresh();
  await until(() => rates.sources().every(({ name, prices }) => name === "coingecko" || prices.length > 0));
  late.abort(new DOMException("too late", "TimeoutError"));
  await refreshed;
  mock.restore();
  return rates.current("btc", "usd", NOW);
}

for (const [name, fault] of Object.entries(faults)) {
  test(`uses the other sources with ${name} from one source, if they are two`, async (t) => {
    world.answers.coingecko = fault;
    world.answers.kraken = json(krakenText("60000"));
    const sources = [...cryptoSources(), coinbase(`${world.baseUrl}/coinbase`)];
    const askNow = (from: readonly PriceSource[]) =>
      name.includes("silence") ? askDespiteSilence(t, from) : ask(from);
    assert.equal((await askNow(sources))?.source, "binance, coinbase, kraken");
    const [gecko, , krak] = cryptoSources();
    assert.equal(await askNow([gecko!, krak!]), null);
  });
}

test("cuts off an endless body long before the timeout", async () => {
  world.answers.coingecko = faults["a body without end"]!;
  const started = Date.now();
  await ask([coingecko(undefined, `${world.baseUrl}/coingecko`)], "usd", 600_000);
  assert.ok(Date.now() - started < 60_000);
});

test("treats Kraken's errors with status 200 as failures", async () => {
  world.answers.kraken = json('{"error":["EGeneral:Internal error"]}');
  const [gecko, , krak] = cryptoSources();
  assert.equal(await ask([gecko!, krak!]), null);
});

test("has a USD rate but no naira rate with one fiat source", async () => {
  world.answers.er = faults["an error 500"]!;
  assert.ok(await ask([...cryptoSources(), ...fiatSources()], "usd"));
  assert.equal(await ask([...cryptoSources(), ...fiatSources()], "ngn"), null);
});

test("uses a mirror if the first URL fails", async () => {
  world.answers.mirror1 = faults["an error 500"]!;
  assert.ok(await ask([...cryptoSources(), ...fiatSources()], "ngn"));
  assert.ok(world.requests.includes("/mirror2/v1/currencies/usd.min.json"));
});

test("keeps the last prices of a failing source until they are too old", async () => {
  const rates = open(cryptoSources());
  await rates.refresh();
  for (const name of Object.keys(world.answers)) world.answers[name] = faults["an error 500"]!;
  await rates.refresh();
  assert.ok(rates.current("btc", "usd", new Date(NOW.getTime() + 4 * 60_000)));
  assert.equal(rates.current("btc", "usd", new Date(NOW.getTime() + 6 * 60_000)), null);
});

test("fetches repeatedly after the start, and not after the stop", async () => {
  const rates = open([kraken(`${world.baseUrl}/kraken`)], { refreshMs: 5 });
  rates.start();
  await until(() => world.requests.length >= 5);
  assert.equal(rates.current("btc", "btc", NOW)?.price, "1");
  rates.stop();
  const asked = world.requests.length;
  // Another instance continues for many rounds meanwhile.
  const other = open([coingecko(undefined, `${world.baseUrl}/coingecko`)], { refreshMs: 5 });
  other.start();
  await until(() => world.requests.filter((url) => url.startsWith("/coingecko")).length >= 10);
  assert.ok(world.requests.filter((url) => url.startsWith("/kraken")).length <= asked + 1);
});

test("aborts open requests on a stop", async () => {
  let closed = 0;
  for (const name of Object.keys(world.answers)) {
    world.answers[name] = (request) => void request.socket.once("close", () => closed++);
  }
  const rates = open(cryptoSources(), { timeoutMs: 60_000 });
  rates.start();
  await until(() => world.requests.length === 3);
  rates.stop();
  await until(() => closed === 3);
});
