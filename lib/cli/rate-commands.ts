import { type Command, InvalidArgumentError } from "commander";
import { pino } from "pino";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { compareFiat, FIAT_CURRENCIES, formatPrice } from "#lib/domain/rates/rules.ts";
import type { Rates, SourceHealth } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { Cli, WithCli } from "./cli.ts";
import { addFormatOptions, type FormatOptions, printRows } from "./print-list.ts";

export function addRateCommands(rates: Command, withCli: WithCli): void {
  addFormatOptions(
    rates.argument("[currency]", "what each source says of US dollars in it, such as kes", parseFiat),
  ).action(withCli(show));
}

function parseFiat(text: string): CurrencyCode {
  const code = FIAT_CURRENCIES.find((one) => one === text.toLowerCase());
  if (code === undefined) throw new InvalidArgumentError("It must be a currency of ISO 4217, such as kes.");
  return code;
}

async function show(cli: Cli, currency: CurrencyCode | undefined, options: FormatOptions): Promise<void> {
  const { fixedRates: fixed, priceKeys: keys } = cli.readConfigWithDemo();
  if (fixed !== null) cli.printMessage("FIXED_RATES is set: the servers ask no source");
  const rates = openRates({ fixed: null, keys, log: pino({ level: "silent" }) });
  await rates.refresh();
  const now = cli.now();
  const sources = rates.sources();
  if (currency === undefined) {
    const columns = ["source", "prices", "newest_at", "error", "unknown_pairs", "idle"] as const;
    printRows(cli, describeSources(sources), options, columns);
    for (const line of describeMissing(rates, now)) cli.printMessage(line);
    cli.printMessage(describeAgreement(sources, now));
  } else printRows(cli, describeFiat(sources, currency, now), options, ["source", "price", "at", "agrees"]);
}

/** A row for each source. */
export function describeSources(sources: readonly SourceHealth[]) {
  return sources.map(({ name, prices, error, unknown, idle }) => ({
    source: name,
    prices: prices.length,
    newest_at: prices.length === 0 ? null : new Date(Math.max(...prices.map(({ at }) => at.getTime()))),
    error,
    unknown_pairs: unknown.length === 0 ? null : unknown.join(", "),
    idle,
  }));
}

/** The tokens without a price in USD, and what does not work without one. */
export function describeMissing({ current }: Pick<Rates, "current">, now: Date): string[] {
  const missing = (Object.keys(TOKENS) as TokenCode[]).filter((token) => current(token, "usd", now) === null);
  if (missing.length === 0) return [];
  const stopped =
    `no price of ${missing.join(", ")}: payment links show no amount in them, their payments are credited and wait to be ` +
    "valued, buys of them are refused, and confirmations are those of the highest amount";
  if (!missing.includes("usdt")) return [stopped];
  return [stopped, "without a price of usdt, prices in USDT (binance, okx) do not count for any token"];
}

/** A row for each source that has the currency. */
export function describeFiat(sources: readonly SourceHealth[], currency: CurrencyCode, now: Date) {
  const { prices, agreed } = compareFiat(
    sources.flatMap((source) => source.prices),
    currency,
    now,
  );
  return prices.map(({ source, price, at }) => ({
    source,
    price: formatPrice(price),
    at,
    agrees: agreed?.sources.includes(source) ?? false,
  }));
}

/** How many currencies a link can be priced in, and which ones not. */
export function describeAgreement(sources: readonly SourceHealth[], now: Date): string {
  const prices = sources.flatMap((source) => source.prices);
  const missing = FIAT_CURRENCIES.filter((code) => compareFiat(prices, code, now).agreed === null);
  const agreed = FIAT_CURRENCIES.length - missing.length;
  const rest = missing.length === 0 ? "" : `; not on ${missing.join(", ")}: links in them wait for a price`;
  return `at least two sources agree on ${agreed} of ${FIAT_CURRENCIES.length} currencies${rest}`;
}
