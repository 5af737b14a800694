import type { NetworkToken, PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { rateText, tokenAmountText } from "./money-text.ts";
import { type PairChoice, toPairChoice } from "./pair-choice.ts";

/** What to send, where. */
export interface PaymentInstructions extends PairChoice {
  readonly address: string;
  /** Exact figure without its symbol. */
  readonly amount: string;
  /** What was asked before the price was renewed, in the same form; null: this is the first price. */
  readonly previousAmount: string | null;
  readonly walletUri: string;
  /** True when the URI opens a wallet; false when it is the bare address. */
  readonly opensWallet: boolean;
  readonly rate: string;
  readonly rateOrigin: RateOrigin;
  readonly rateAgeSeconds: number;
  readonly quoteSecondsLeft: number;
}

export interface InstructionOptions {
  readonly now: Date;
  /** BCP 47. */
  readonly locale: string;
  /** The adapter's wallet URI; the bare address where the network is off by now. */
  paymentUri(ask: { pair: NetworkToken; address: string; amount: bigint }): string;
}

/** What finishes the link in this pair, or null while that cannot be said. */
export function buildInstructions(
  view: PaymentLinkView,
  pair: NetworkToken,
  options: InstructionOptions,
): PaymentInstructions | null {
  const same = (other: NetworkToken) => other.network === pair.network && other.token === pair.token;
  const remaining = view.remaining.find(same);
  const quotes = view.quotes.filter(same);
  const quote = quotes.find(({ live }) => live);
  if (remaining === undefined || quote === undefined) return null;
  const former = quotes.find((candidate) => candidate !== quote);
  const { address } = quote;
  const walletUri = options.paymentUri({ pair, address, amount: remaining.amount });
  return {
    ...toPairChoice(pair),
    address,
    amount: tokenAmountText(remaining.amount, pair.token),
    previousAmount: former === undefined ? null : tokenAmountText(former.asked, pair.token),
    walletUri,
    opensWallet: walletUri !== address,
    rate: formatRate(pair, quote.rate, view.currency, options.locale),
    rateOrigin: readRateOrigin(quote.rateSource, options.locale),
    rateAgeSeconds: Math.max(0, Math.floor((options.now.getTime() - quote.rateAt.getTime()) / 1000)),
    quoteSecondsLeft: secondsUntil(quote.validUntil, options.now),
  };
}

/** Has the price been renewed, and did that change the amount? */
export function priceChange({ amount, previousAmount }: PaymentInstructions): "none" | "same" | "changed" {
  if (previousAmount === null) return "none";
  return previousAmount === amount ? "same" : "changed";
}

/** "1 USDT = ₦1,612.50 NGN". */
export function formatRate(
  { token }: Pick<NetworkToken, "token">,
  price: string,
  currency: CurrencyCode,
  locale: string,
): string {
  return `1 ${token.toUpperCase()} = ${rateText(price, currency, locale)}`;
}

/** Whole seconds, never below zero. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}

/** Whose price a quote is made with. */
export type RateOrigin =
  | { readonly kind: "fixed" }
  | {
      readonly kind: "market" /** "CoinGecko and Kraken". */;
      readonly sources: string /** "1.5" percent. */;
      readonly markup: string | null;
    };

/** What the price sources call themselves (lib/domain/rates/sources). */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  binance: "Binance",
  coinbase: "Coinbase",
  coingecko: "CoinGecko",
  "currency-api": "Currency-api",
  "exchangerate-api": "ExchangeRate-API",
  kraken: "Kraken",
};

/** Reads a quote's `rateSource`: "fixed", or "coingecko, kraken", or that with the merchant's mark-up: "… +1.5%". */
export function readRateOrigin(source: string, locale: string): RateOrigin {
  if (source === "fixed") return { kind: "fixed" };
  const [, codes = source, markup = null] = /^(.*?)(?: \+([0-9.]+)%)?$/.exec(source) ?? [];
  const names = codes.split(", ").map((code) => SOURCE_NAMES[code] ?? code);
  const figure = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  return {
    kind: "market",
    sources: new Intl.ListFormat(locale).format(names),
    markup: markup && figure.format(markup as Intl.StringNumericLiteral),
  };
}
