import type { LanguageCode } from "#lib/languages/languages.ts";
import type { TokenCode } from "#lib/money/tokens.ts";
import { NETWORKS, type NetworkData } from "#lib/networks/networks.ts";
import type { Pair, PaymentLinkView, PaymentView, TokenAmount } from "#lib/payment-links/types.ts";
import { priceText, rateText, tokenFigure, tokenText } from "./money-text.ts";

/** What the customer is to do or to know now. */
export type Stage =
  | "choose"
  | "noChoice"
  | "pay"
  | "noPrice"
  | "topUp"
  | "confirming"
  | "checking"
  | "paid"
  | "overpaid"
  | "underpaid"
  | "unconfirmed"
  | "expired";

/** Stages in which what happens on the networks matters to the customer. */
const WATCHING: ReadonlySet<Stage> = new Set(["pay", "noPrice", "topUp", "confirming", "checking"]);

export interface PairChoice {
  /** Value of the form's button: "bep20:usdt". */
  readonly value: string;
  readonly symbol: string;
  readonly networkName: string;
}

/** What to send, where. */
export interface Ask extends PairChoice {
  readonly address: string;
  /** Exact figure without its symbol. */
  readonly amount: string;
  readonly walletUri: string;
  /** True when the URI opens a wallet; false when it is the bare address. */
  readonly opensWallet: boolean;
  readonly rate: string;
  readonly rateSource: string;
  readonly rateAgeSeconds: number;
  readonly quoteSeconds: number;
}

export interface PaymentLine {
  readonly key: string;
  readonly amount: string;
  readonly networkName: string;
  readonly txHash: string;
  readonly explorer: string | null;
  readonly progress: "confirming" | "finality" | "confirmed" | "dropped";
  readonly confirmations: number;
  readonly required: number;
  readonly late: boolean;
}

/** All that the page may show: nothing of the customer, no metadata. */
export interface CheckoutModel {
  readonly refid: string;
  readonly version: number;
  readonly test: boolean;
  readonly stage: Stage;
  /** Paid or given up: only a late payment or a reorganisation changes it now. */
  readonly ended: boolean;
  readonly late: boolean;
  readonly merchantName: string;
  readonly reference: string;
  readonly price: string;
  readonly secondsLeft: number;
  readonly choices: readonly PairChoice[];
  /** The language asked for by `?lang=`, which every further step keeps; null when the browser's was taken. */
  readonly lang: LanguageCode | null;
  /** The network on show, or null when none has been chosen. */
  readonly network: Pair["network"] | null;
  /** null unless something is to be sent and its price is known. */
  readonly ask: Ask | null;
  readonly received: readonly string[];
  readonly excess: readonly string[];
  readonly payments: readonly PaymentLine[];
  /** Names of networks that cannot be seen now, while something may be on its way there. */
  readonly stalled: readonly string[];
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Moment of rendering, milliseconds: tells two renderings apart. */
  readonly renderedAt: number;
}

export interface CheckoutOptions {
  readonly now: Date;
  /** BCP 47. */
  readonly locale: string;
  /** Network the visitor asked to see, if picked; otherwise the page decides. */
  readonly network?: string | undefined;
  /** See CheckoutModel. */
  readonly lang?: LanguageCode | null;
  /** The adapter's wallet URI; the bare address where the network is off by now. */
  paymentUri(ask: { pair: Pair; address: string; amount: bigint }): string;
}

/** Picks and words everything the page shows. Pure: same view and options, same model. */
export function checkoutModel(view: PaymentLinkView, options: CheckoutOptions): CheckoutModel {
  const { now, locale } = options;
  const pair = selectedPair(view, options.network);
  const wanted = stageOf(view, now);
  const paying = wanted === "pay" || wanted === "topUp";
  const ask = paying && pair !== null ? askFor(view, pair, options) : null;
  const choices = view.offered.filter((offer) => offer.network !== pair?.network).map(choiceOf);
  const stage = paying && ask === null ? "noPrice" : wanted;
  return {
    refid: view.refid,
    version: view.version,
    test: view.env === "test",
    stage,
    ended: ["completed", "overpaid", "failed", "expired"].includes(view.state),
    late: view.late,
    merchantName: view.merchantName,
    reference: view.paymentReference,
    price: priceText(view.amount, view.currency, locale),
    secondsLeft: secondsUntil(view.expiresAt, now),
    choices: paying || wanted === "choose" ? choices : [],
    lang: options.lang ?? null,
    network: pair?.network ?? null,
    ask,
    received: totals(view.payments.filter((payment) => payment.status !== 2)),
    excess: view.excess.map((excess) => tokenText(excess.amount, excess.token)),
    payments: view.payments.map((payment) => paymentLine(view, payment)),
    stalled: WATCHING.has(stage) ? view.stalled.map((network) => NETWORKS[network].name) : [],
    successUrl: view.successUrl,
    cancelUrl: view.cancelUrl,
    renderedAt: now.getTime(),
  };
}

function stageOf(view: PaymentLinkView, now: Date): Stage {
  switch (view.state) {
    case "completed":
      return "paid";
    case "overpaid":
      return "overpaid";
    case "expired":
      return "expired";
    case "failed":
      return view.reason === "unconfirmed" ? "unconfirmed" : "underpaid";
    case "detected":
      return "confirming";
  }
  if (view.checking || now >= view.expiresAt) return "checking";
  if (view.state === "partial") return "topUp";
  if (view.state === "awaiting") return "pay";
  return view.offered.length > 0 ? "choose" : "noChoice";
}

/** The one asked for; else where money has already arrived; else the newest picked. */
function selectedPair(view: PaymentLinkView, network: string | undefined): Pair | null {
  const asked = view.wallets.find((wallet) => wallet.network === network);
  const paid = view.payments.findLast((payment) => payment.status !== 2);
  return asked ?? paid ?? view.wallets.at(-1) ?? null;
}

function askFor(view: PaymentLinkView, pair: Pair, options: CheckoutOptions): Ask | null {
  const same = (other: Pair) => other.network === pair.network && other.token === pair.token;
  const remaining = view.remaining.find(same);
  const quote = view.quotes.find((candidate) => same(candidate) && candidate.live);
  if (remaining === undefined || quote === undefined) return null;
  const { address } = quote;
  const walletUri = options.paymentUri({ pair, address, amount: remaining.amount });
  return {
    ...choiceOf(pair),
    address,
    amount: tokenFigure(remaining.amount, pair.token),
    walletUri,
    opensWallet: walletUri !== address,
    rate: `1 ${pair.token.toUpperCase()} = ${rateText(quote.rate, view.currency, options.locale)}`,
    rateSource: quote.rateSource,
    rateAgeSeconds: Math.max(0, Math.floor((options.now.getTime() - quote.rateAt.getTime()) / 1000)),
    quoteSeconds: secondsUntil(quote.validUntil, options.now),
  };
}

function choiceOf(pair: Pair): PairChoice {
  return {
    value: `${pair.network}:${pair.token}`,
    symbol: pair.token.toUpperCase(),
    networkName: NETWORKS[pair.network].name,
  };
}

/** One text per token: what reached us of it, over all networks. */
function totals(payments: readonly TokenAmount[]): string[] {
  const sums = new Map<TokenCode, bigint>();
  for (const { token, amount } of payments) sums.set(token, (sums.get(token) ?? 0n) + amount);
  return [...sums].map(([token, amount]) => tokenText(amount, token));
}

function paymentLine(view: PaymentLinkView, payment: PaymentView): PaymentLine {
  const network: NetworkData = NETWORKS[payment.network];
  const waiting = network.finality.kind === "finalized" ? "finality" : "confirming";
  return {
    key: `${payment.network}:${payment.txHash}:${payment.position}`,
    amount: tokenText(payment.amount, payment.token),
    networkName: network.name,
    txHash: payment.txHash,
    // A test network may be a private chain that no explorer knows.
    explorer: view.env === "live" ? network.explorer.live.tx.replace("{tx}", payment.txHash) : null,
    progress: payment.status === 2 ? "dropped" : payment.status === 1 ? "confirmed" : waiting,
    confirmations: Math.min(payment.confirmations, payment.requiredConfirmations),
    required: payment.requiredConfirmations,
    late: payment.late,
  };
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
