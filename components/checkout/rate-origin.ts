/** Whose price a quote is made with. */
export type RateOrigin =
  | { readonly kind: "fixed" }
  | {
      readonly kind: "market" /** "CoinGecko and Kraken". */;
      readonly sources: string /** "1.5" percent. */;
      readonly markup: string | null;
    };

/** What the price sources call themselves (lib/domain/rates/sources). */
const NAMES: Readonly<Record<string, string>> = {
  binance: "Binance",
  coinbase: "Coinbase",
  coingecko: "CoinGecko",
  "currency-api": "Currency-api",
  "exchangerate-api": "ExchangeRate-API",
  kraken: "Kraken",
};

/** Reads a quote's `rateSource`: "fixed", or "coingecko, kraken", or that with the merchant's mark-up: "… +1.5%". */
export function rateOrigin(source: string, locale: string): RateOrigin {
  if (source === "fixed") return { kind: "fixed" };
  const [, codes = source, markup = null] = /^(.*?)(?: \+([0-9.]+)%)?$/.exec(source) ?? [];
  const names = codes.split(", ").map((code) => NAMES[code] ?? code);
  const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  return {
    kind: "market",
    sources: new Intl.ListFormat(locale).format(names),
    markup: markup && figure.format(markup as Intl.StringNumericLiteral),
  };
}
