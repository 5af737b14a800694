import { type Command, InvalidArgumentError } from "commander";
import { pino } from "pino";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { compareFiat, FIAT_CURRENCIES, formatPrice } from "#lib/domain/rates/rules.ts";
import type { SourceHealth } from "#lib/domain/rates/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
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
  const { fixedRates: fixed, openExchangeRatesAppId } = cli.readConfigWithDemo();
  if (fixed !== null) cli.printMessage("FIXED_RATES is set: the servers ask no source");
  const rates = openRates({ fixed: null, openExchangeRatesAppId, log: pino({ level: "silent" }) });
  await rates.refresh();
  const now = cli.now();
  const sources = rates.sources();
  if (currency === undefined) {
    printRows(cli, describeSources(sources), options, ["source", "prices", "newest_at", "error", "idle"]);
    cli.printMessage(describeAgreement(sources, now));
  } else printRows(cli, describeFiat(sources, currency, now), options, ["source", "price", "at", "agrees"]);
}

/** A row for each source. */
export function describeSources(sources: readonly SourceHealth[]) {
  return sources.map(({ name, prices, error, idle }) => ({
    source: name,
    prices: prices.length,
    newest_at: prices.length === 0 ? null : new Date(Math.max(...prices.map(({ at }) => at.getTime()))),
    error,
    idle,
  }));
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
  const rest = missing.length === 0 ? "" : `; not on ${missing.join(", ")}`;
  return `at least two sources agree on ${agreed} of ${FIAT_CURRENCIES.length} currencies${rest}`;
}
