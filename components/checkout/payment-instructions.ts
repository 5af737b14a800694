import { isSamePair, NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";
import { listPhoneWallets, type WalletLink } from "#lib/chains/phone-wallets.ts";
import type { TaggedAddress, WalletTransfer } from "#lib/chains/wallet-transfer.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { listFormat, numberFormat } from "#lib/platform/formats.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { rateText, tokenAmountText, typedFigure } from "./money-text.ts";
import { type PairChoice, toPairChoice } from "./pair-choice.ts";

/** The amount to send, and its address. */
export interface PaymentInstructions extends PairChoice {
  readonly address: string;
  /** The same for wallets that want account and tag. Null where an address has no tag. */
  readonly taggedAddress: TaggedAddress | null;
  /** Exact amount without the token's symbol, in the form that wallets accept. */
  readonly amount: string;
  /** The same for reading. */
  readonly readableAmount: string;
  /** True if the network carries no smaller payment: less may be missing. */
  readonly isSmallest: boolean;
  /** Amount before the price was renewed, for reading. Null for the first price, and without a rate. */
  readonly previousAmount: string | null;
  /** False: a payment is seen only when a block holds it, although the network shows waiting transactions. */
  readonly seesUnconfirmed: boolean;
  /** True: a payment that a contract sends, as some exchanges and smart wallets do, is not seen. */
  readonly missesContracts: boolean;
  /** Payment URI of the network, or the bare address where it has none. */
  readonly walletUri: string;
  /**
   * False for a token of a contract: some wallets send to the contract instead of the address, where the money is lost
   * (docs/chains.md, "Codes and links for wallets").
   */
  readonly isUriSafe: boolean;
  /** This page, to be kept by those who pays later. */
  readonly pageUrl: string;
  /** Apps on the payer's phone. */
  readonly phoneWallets: readonly WalletLink[];
  /** For a wallet in the browser. Null: none is supported on the network. */
  readonly walletTransfer: WalletTransfer | null;
  /** True if the URI opens a wallet, false if it is the bare address. */
  readonly opensWallet: boolean;
  /** Null where nothing is converted: the link is priced in the token. */
  readonly rate: string | null;
  readonly rateOrigin: RateOrigin;
  readonly rateAgeSeconds: number;
  readonly quoteSecondsLeft: number;
}

/** `amount` in ledger units. */
export interface DuePayment {
  readonly pair: PaymentPair;
  readonly address: string;
  readonly amount: bigint;
}

export interface InstructionOptions {
  readonly now: Date;
  /** BCP 47. */
  readonly locale: string;
  /** The adapter's wallet URI, or the bare address if the network is switched off. */
  paymentUri(due: DuePayment): string;
  /** Account and tag of an address. Null where it has none. */
  taggedAddress(due: DuePayment): TaggedAddress | null;
  /** Whether the adapter does not read what contracts send in this pair. Absent: it reads everything. */
  missesContracts?(pair: PaymentPair): boolean;
  /** The request of the adapter to a wallet in the browser. */
  walletTransfer(due: DuePayment): WalletTransfer | null;
}

/** The remaining amount of the link in this pair with its quotes. Null while the amount or its price is not available. */
export function findDue(view: PaymentLinkView, pair: PaymentPair) {
  const same = (other: PaymentPair) => isSamePair(other, pair);
  const remaining = view.remaining.find(same);
  const quotes = view.quotes.filter(same);
  const quote = quotes.find(({ live }) => live);
  return remaining === undefined || quote === undefined ? null : { remaining, quotes, quote };
}

/** The instructions to complete the link in this pair. Null where findDue finds nothing. */
export function buildInstructions(
  view: PaymentLinkView,
  pair: PaymentPair,
  options: InstructionOptions,
): PaymentInstructions | null {
  const found = findDue(view, pair);
  if (found === null) return null;
  const { remaining, quotes, quote } = found;
  const previous = quotes.find((candidate) => candidate !== quote);
  const { address } = quote;
  const { locale } = options;
  const rate = formatRate(pair, quote.rate, view.currency, locale);
  const readable = (units: bigint) => typedFigure(units, pair.token, locale);
  const due = { pair, address, amount: remaining.amount };
  const walletUri = options.paymentUri(due);
  const walletTransfer = options.walletTransfer(due);
  const amount = tokenAmountText(remaining.amount, pair.token);
  return {
    ...toPairChoice(pair),
    address,
    taggedAddress: options.taggedAddress(due),
    amount,
    readableAmount: readable(remaining.amount),
    isSmallest: remaining.amount === TOKENS[pair.token].dust,
    previousAmount: previous === undefined || rate === null ? null : readable(previous.asked),
    seesUnconfirmed: !view.blockOnly.includes(pair.network),
    missesContracts: options.missesContracts?.(pair) ?? false,
    walletUri,
    isUriSafe: NETWORKS[pair.network].coin === pair.token,
    pageUrl: view.paymentLink,
    phoneWallets: listPhoneWallets({
      ...pair,
      env: view.env,
      address,
      amount,
      transfer: walletTransfer,
      pageUrl: view.paymentLink,
    }),
    walletTransfer,
    opensWallet: walletUri !== address,
    rate,
    rateOrigin: readRateOrigin(quote.rateSource, locale),
    rateAgeSeconds: Math.max(0, Math.floor((options.now.getTime() - quote.rateAt.getTime()) / 1000)),
    quoteSecondsLeft: secondsUntil(quote.validUntil, options.now),
  };
}

/** Whether the price was renewed, and whether that changed the amount. */
export function priceChange(instructions: PaymentInstructions): "none" | "same" | "changed" {
  if (instructions.previousAmount === null) return "none";
  return instructions.previousAmount === instructions.readableAmount ? "same" : "changed";
}

/**
 * Such as "1 USDT = ₦1,612.50". Null where nothing is converted: the price is in the token itself. With a merchant's
 * mark-up the price is not 1, and is shown.
 */
export function formatRate(
  { token }: Pick<PaymentPair, "token">,
  price: string,
  currency: CurrencyCode,
  locale: string,
): string | null {
  if (token === currency && price === "1") return null;
  return `1 ${token.toUpperCase()} = ${rateText(price, currency, locale)}`;
}

/** Whole seconds, at least 0. */
export function secondsUntil(timestamp: Date, now: Date): number {
  return Math.max(0, Math.ceil((timestamp.getTime() - now.getTime()) / 1000));
}

/** Where the price of a quote comes from. */
export type RateOrigin =
  | { readonly kind: "fixed" }
  | {
      readonly kind: "market";
      /** Such as "CoinGecko and Kraken". */
      readonly sources: string;
      /** Percent, such as "1.5". Null without a markup. */
      readonly markup: string | null;
    };

/** Display names of the price sources (lib/domain/rates/sources). */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  binance: "Binance",
  coinbase: "Coinbase",
  coingecko: "CoinGecko",
  "currency-api": "Currency-api",
  "exchangerate-api": "ExchangeRate-API",
  kraken: "Kraken",
};

/**
 * Parses a quote's `rateSource`: "fixed", or "coingecko, kraken", or the same with the merchant's markup: "…
 * +1.5%".
 */
export function readRateOrigin(source: string, locale: string): RateOrigin {
  if (source === "fixed") return { kind: "fixed" };
  const [, codes = source, markup = null] = /^(.*?)(?: \+([0-9.]+)%)?$/.exec(source) ?? [];
  const names = codes.split(", ").map((code) => SOURCE_NAMES[code] ?? code);
  const figure = numberFormat(locale, { maximumFractionDigits: 20 });
  return {
    kind: "market",
    sources: listFormat(locale, {}).format(names),
    markup: markup && figure.format(markup as Intl.StringNumericLiteral),
  };
}
