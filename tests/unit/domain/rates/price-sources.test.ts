/** Sources that refuse, want keys, or list more than is asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { describeMissing, describeSources } from "#lib/cli/rate-commands.ts";
import { binance } from "#lib/domain/rates/sources/binance.ts";
import { bitstamp } from "#lib/domain/rates/sources/bitstamp.ts";
import { coingecko } from "#lib/domain/rates/sources/coingecko.ts";
import { kraken } from "#lib/domain/rates/sources/kraken.ts";
import { okx } from "#lib/domain/rates/sources/okx.ts";
import {
  ask,
  binanceText,
  coingeckoText,
  cryptoSources,
  faults,
  json,
  krakenText,
  NOW,
  open,
  seconds,
  startForEachTest,
  world,
} from "./price-server.ts";

startForEachTest();

/** The names of the pairs that a request asked for. */
function namesOf(url: string | undefined): string[] {
  const { searchParams } = new URL(url ?? "", "http://localhost");
  const symbols = searchParams.get("symbols");
  return symbols === null ? (searchParams.get("pair") ?? "").split(",") : JSON.parse(symbols);
}

test("leaves out the pair that a source does not know, and asks for it again after an hour", async () => {
  const unknown = { kraken: "TRXUSD", binance: "TWTUSDT" };
  world.answers.kraken = (request, response) =>
    namesOf(request.url).includes(unknown.kraken)
      ? json('{"error":["EQuery:Unknown asset pair"]}')(request, response)
      : json(krakenText("60000.20000"))(request, response);
  world.answers.binance = (request, response) =>
    namesOf(request.url).includes(unknown.binance)
      ? response.writeHead(400).end('{"code":-1121,"msg":"Invalid symbol."}')
      : json(binanceText("60000.10000000"))(request, response);
  let now = NOW;
  const rates = open(cryptoSources(), { now: () => now });
  await rates.refresh();
  assert.equal(rates.current("btc", "usd", NOW)?.source, "binance, coingecko, kraken");
  const rows = describeSources(rates.sources()).slice(1);
  assert.deepEqual(
    rows.map(({ error, unknown_pairs }) => [error, unknown_pairs]),
    [
      [null, unknown.binance],
      [null, unknown.kraken],
    ],
  );
  const first = world.requests.length;
  assert.ok(first <= 21, `${first} requests`);
  await rates.refresh();
  assert.equal(world.requests.length, first + 3);
  now = new Date(NOW.getTime() + 3_600_000);
  await rates.refresh();
  assert.ok(world.requests.slice(first + 3).some((url) => namesOf(url).includes(unknown.kraken)));
});

test("a source that refuses every pair once is asked for every pair again", async () => {
  const refuses = { binance: true };
  world.answers.binance = (request, response) =>
    refuses.binance
      ? response.writeHead(400).end("{}")
      : json(binanceText("60000.10000000"))(request, response);
  const rates = open([binance(`${world.baseUrl}/binance`)]);
  const shown = () =>
    describeSources(rates.sources()).map(({ error, unknown_pairs }) => [error, unknown_pairs]);
  await rates.refresh();
  assert.deepEqual(shown(), [["the source answered with status 400", null]]);
  refuses.binance = false;
  await rates.refresh();
  assert.deepEqual(shown(), [[null, null]]);
  assert.equal(namesOf(world.requests.at(-1)).length, 14);
});

test("a source that is down is asked once, not once for each pair", async () => {
  world.answers.kraken = json('{"error":["EAPI:Rate limit exceeded"]}');
  world.answers.binance = faults["an error 500"]!;
  await open([binance(`${world.baseUrl}/binance`), kraken(`${world.baseUrl}/kraken`)]).refresh();
  assert.equal(world.requests.length, 2);
});

test("sends CoinGecko's key in the header of its plan", async () => {
  const seen: unknown[] = [];
  world.answers.coingecko = (request, response) => {
    seen.push([request.headers["x-cg-demo-api-key"], request.headers["x-cg-pro-api-key"]]);
    json(coingeckoText("60000"))(request, response);
  };
  const none = { coingecko: null, coingeckoPro: null };
  for (const keys of [none, { ...none, coingecko: "CG-a" }, { coingecko: "CG-a", coingeckoPro: "CG-b" }])
    await open([coingecko(keys, `${world.baseUrl}/coingecko`)]).refresh();
  assert.deepEqual(seen, [
    [undefined, undefined],
    ["CG-a", undefined],
    [undefined, "CG-b"],
  ]);
  const [pro] = coingecko({ coingecko: null, coingeckoPro: "CG-b" }).urls;
  assert.equal(new URL(pro!).host, "pro-api.coingecko.com");
});

test("reads the tickers of Bitstamp and OKX, whatever else they list", async () => {
  world.answers.bitstamp = json(
    `[{"timestamp":"${seconds(NOW)}","open":"1","last":"60000.5","pair":"BTC/USD","market_type":"SPOT"},` +
      `{"timestamp":"${seconds(NOW)}","last":"55000","pair":"BTC/EUR"},{"timestamp":"${seconds(NOW)}","last":"1.0002","pair":"USDT/USD"}]`,
  );
  world.answers.okx = json(
    `{"code":"0","msg":"","data":[{"instType":"SPOT","instId":"BTC-USDT","last":"60000.1","ts":"${NOW.getTime()}"},` +
      `{"instId":"NEW-USDT","last":"","ts":"${NOW.getTime()}"}]}`,
  );
  const sources = [
    bitstamp(`${world.baseUrl}/bitstamp`),
    okx(`${world.baseUrl}/okx`),
    kraken(`${world.baseUrl}/kraken`),
  ];
  assert.equal((await ask(sources))?.source, "bitstamp, kraken, okx");
  const two = open(sources.slice(0, 2));
  await two.refresh();
  // OKX counts only with a price of USDT that two sources agree on.
  assert.equal(two.current("btc", "usd", NOW), null);
  assert.match(
    describeMissing(two, NOW).join(),
    /no price of btc, .*prices in USDT \(binance, okx\) do not count/,
  );
});

test("names the tokens without a price and what that stops", async () => {
  const rates = open(cryptoSources());
  await rates.refresh();
  const [missing, ...rest] = describeMissing(rates, NOW);
  assert.match(missing!, /^no price of [a-z, ]*eth, .*: payment links show no amount in them/);
  assert.deepEqual(rest, []);
});
