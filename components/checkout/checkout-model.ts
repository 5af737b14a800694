import { isSamePair, NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";
import { accentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import { type SupportLink, supportLink } from "#lib/domain/merchants/support-rules.ts";
import { lateNetworkName, qualifiedNetworkName } from "#lib/domain/network-status/rules.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import type { LinkState } from "#lib/domain/types.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";
import { priceText, typedText } from "./money-text.ts";
import { type FeeLookup, type PricedChoice, priceChoices } from "./pair-choice.ts";
import {
  buildInstructions,
  findDue,
  type InstructionOptions,
  type PaymentInstructions,
  secondsUntil,
} from "./payment-instructions.ts";
import {
  type AstrayLine,
  type PaymentLine,
  type PaymentLineOptions,
  sumByToken,
  toAstrayLine,
  toPaymentLine,
} from "./payment-line.ts";
import { estimateWait, type TimeText, timeText, type WaitEstimate } from "./time-text.ts";
import type { RelayOptions } from "./wallet-connect/relay.ts";

/**
 * Seconds between a completion that the visitor sees live and the redirect to the shop. 20 seconds is the least that
 * leaves everyone time to cancel it (WCAG 2.2.1). The button on the page redirects at once.
 */
export const REDIRECT_AFTER_SECONDS = 20;

/** The stage of a payment, for the customer. */
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
  | "expired"
  | "canceled";

/** True while there is still time to pay. */
export function hasTimeLeft(stage: Stage): boolean {
  return ["choose", "noChoice", "pay", "noPrice", "topUp"].includes(stage);
}

/** Stages in which the customer needs to know about unwatched networks. */
const WATCHING_STAGES: ReadonlySet<Stage> = new Set(["pay", "noPrice", "topUp", "confirming", "checking"]);

const IS_ENDED: Readonly<Record<LinkState, boolean>> = {
  open: false,
  awaiting: false,
  partial: false,
  detected: false,
  completed: true,
  overpaid: true,
  failed: true,
  expired: true,
};

/** The order of a link as the payer reads it. */
export interface Order {
  readonly description: string | null;
  readonly items: readonly {
    readonly name: string;
    readonly quantity: string | null;
    readonly amount: string;
  }[];
}

/** Everything that the page may show. It holds no customer data and no metadata. */
export interface CheckoutModel {
  readonly refid: string;
  readonly version: number;
  readonly test: boolean;
  readonly stage: Stage;
  /** True for a final state. Only a late payment or a reorg changes it. */
  readonly ended: boolean;
  readonly late: boolean;
  /** A device of the merchant started the payment and shows it. */
  readonly pointOfSale: boolean;
  readonly merchantName: string;
  /** Path of the merchant's logo. */
  readonly logo: string | null;
  /** Contact that the merchant gave for questions. */
  readonly support: SupportLink | null;
  readonly reference: string;
  readonly price: string;
  /** Null if the merchant has not said what the payment is for. */
  readonly order: Order | null;
  readonly secondsLeft: number;
  /** The pairs to choose from. Empty unless the stage is `choose`. */
  readonly choices: readonly PricedChoice[];
  /** True if the payer asked for the choice of a link that has a pair already. */
  readonly choosing: boolean;
  /** True if the payer can choose another pair now. */
  readonly canChoose: boolean;
  /**
   * The language requested by `?lang=`, kept by every further URL. Null if the browser's language is used.
   */
  readonly lang: LanguageCode | null;
  /** Query parameters that the widget added to the URL, kept by every further URL. */
  readonly widgetParams: Readonly<Record<string, string>>;
  /** The pair shown. Null if none is chosen. */
  readonly pair: PaymentPair | null;
  /** Null unless the customer has to send something and its price is known. */
  readonly instructions: PaymentInstructions | null;
  readonly received: readonly string[];
  readonly excess: readonly string[];
  readonly payments: readonly PaymentLine[];
  /** The network reverted an earlier payment, and the page asks for a payment again. */
  readonly reverted: boolean;
  /** Transfers that arrived at the addresses, pay nothing, and wait for the merchant. */
  readonly astray: readonly AstrayLine[];
  /** The number of all payments. Null if all are listed. */
  readonly paymentCount: string | null;
  /**
   * How long the seen payments usually take until they count. Null if nothing is pending or no estimate is
   * possible.
   */
  readonly waitEstimate: WaitEstimate | null;
  /** Null before completion. */
  readonly completedAt: TimeText | null;
  /** Signed, for a file and a code. Null unless the link is paid. */
  readonly signedReceipt: SignedReceipt | null;
  /** Names of unwatched networks on which a payment may be on its way. */
  readonly unwatchedNetworks: readonly string[];
  /** Finality is late on a network where a payment waits for it. */
  readonly slow: boolean;
  /** The same networks, and those whose finality is late, with the names that the socket uses. */
  readonly watchStatus: PageWatchStatus;
  /** The relay for wallets on other devices. Null: the operator has not set it up. */
  readonly walletConnect: RelayOptions | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** False if nobody waits for the customer anywhere else: the page then leads nowhere. */
  readonly hasShop: boolean;
  /** Time of rendering, milliseconds. Distinguishes two renderings. */
  readonly renderedAt: number;
}

export interface CheckoutModelOptions extends InstructionOptions, PaymentLineOptions {
  readonly usualFee: FeeLookup;
  readonly walletConnect?: RelayOptions | null;
  /** The link's receipt, signed. Null unless it is paid. */
  readonly signedReceipt: string | null;
  /** The pair that the visitor asked to see. Without a token, the network's newest. Without both, the page decides. */
  readonly network?: string | undefined;
  readonly token?: string | undefined;
  /** The visitor asked for the choice again. */
  readonly choosing?: boolean;
  /** See CheckoutModel. */
  readonly lang?: LanguageCode | null;
  readonly widgetParams?: Readonly<Record<string, string>>;
}

/**
 * Chooses and formats everything that the page shows. Pure: the same view and options give the same model.
 */
export function buildCheckoutModel(view: PaymentLinkView, options: CheckoutModelOptions): CheckoutModel {
  const { now, locale } = options;
  const { stage, payable, choosing, pair } = situationOf(view, options);
  const instructions = payable && pair !== null ? buildInstructions(view, pair, options) : null;
  const payments = view.payments.map((payment) => toPaymentLine(view, payment, options));
  const slow =
    WATCHING_STAGES.has(stage) &&
    view.payments.some(({ network, status }) => status === "seen" && view.slow.includes(network));
  const waitSeconds = Math.max(0, ...payments.map((payment) => payment.waitSeconds));
  return {
    refid: view.refid,
    version: view.version,
    test: view.env === "test",
    stage,
    ended: IS_ENDED[view.state],
    late: view.late,
    pointOfSale: view.pointOfSale,
    merchantName: view.merchantName,
    logo: logoPath(view),
    support:
      view.branding.support === null ? null : supportLink(view.branding.support, view.paymentReference),
    reference: view.paymentReference,
    price: priceText(view.amount, view.currency, locale),
    order: toOrder(view, locale),
    secondsLeft: secondsUntil(view.expiresAt, now),
    choices: stage === "choose" ? listChoices(view, options) : [],
    choosing,
    canChoose: payable && view.selectablePairs.some((offer) => pair === null || !isSamePair(offer, pair)),
    lang: options.lang ?? null,
    widgetParams: options.widgetParams ?? {},
    pair,
    instructions,
    received: sumByToken(view.received, locale),
    excess: view.excess.map((excess) => typedText(excess.amount, excess.token, locale)),
    payments,
    reverted: hasTimeLeft(stage) && view.payments.some(({ status }) => status === "dropped"),
    astray: view.astray.map((payment) => toAstrayLine(payment, options)),
    paymentCount: view.paymentCount > payments.length ? view.paymentCount.toLocaleString(locale) : null,
    waitEstimate:
      stage === "confirming" && view.unwatched.length === 0 && !slow && waitSeconds > 0
        ? estimateWait(waitSeconds)
        : null,
    completedAt: view.completedAt && timeText(view.completedAt, locale),
    signedReceipt: toSignedReceipt(view, options),
    unwatchedNetworks: WATCHING_STAGES.has(stage)
      ? view.unwatched.map((network) => NETWORKS[network].name)
      : [],
    slow,
    watchStatus: WATCHING_STAGES.has(stage) ? readWatchStatus(view) : { networks: [], unwatched: [] },
    walletConnect: options.walletConnect ?? null,
    successUrl: view.successUrl,
    cancelUrl: view.cancelUrl,
    hasShop: view.successUrl !== view.paymentLink,
    renderedAt: now.getTime(),
  };
}

/** The stage of the link, and the pair that the page shows. `payable`: the customer has to send something. */
export function situationOf(
  view: PaymentLinkView,
  options: Pick<CheckoutModelOptions, "now" | "choosing" | "network" | "token">,
): { stage: Stage; payable: boolean; choosing: boolean; pair: PaymentPair | null } {
  const stageIfPriced = stageOf(view, options);
  const payable = stageIfPriced === "pay" || stageIfPriced === "topUp";
  const choosing = stageIfPriced === "choose" && view.state !== "open";
  const pair = choosing ? null : choosePair(view, options);
  const isPriced = pair !== null && findDue(view, pair) !== null;
  return { stage: payable && !isPriced ? "noPrice" : stageIfPriced, payable, choosing, pair };
}

function toOrder({ description, items, currency }: PaymentLinkView, locale: string): Order | null {
  if (description === null && items.length === 0) return null;
  return {
    description,
    items: items.map(({ name, quantity, amount }) => ({
      name,
      quantity: quantity === 1 ? null : quantity.toLocaleString(locale),
      amount: priceText(amount, currency, locale),
    })),
  };
}

/** All that can be chosen. What sees every payment comes first: a payment from an exchange is surely seen there. */
function listChoices(
  view: PaymentLinkView,
  { missesContracts, usualFee, locale }: CheckoutModelOptions,
): PricedChoice[] {
  const misses = (offer: PaymentPair) => Number(missesContracts?.(offer) ?? false);
  const offers = view.selectablePairs.toSorted((a, b) => misses(a) - misses(b));
  return priceChoices(offers, view, usualFee, locale);
}

/** A receipt that anyone can check. */
export interface SignedReceipt {
  /** Path of the file. */
  readonly file: string;
  /** URL of the page that checks it, with the receipt. Null where it is too long for a code. */
  readonly checkUrl: string | null;
}

/** A code of more characters is hard to scan from a screen. */
const MAX_CODE_CHARS = 1_200;

function toSignedReceipt(
  { paymentLink }: PaymentLinkView,
  { signedReceipt }: CheckoutModelOptions,
): SignedReceipt | null {
  if (signedReceipt === null) return null;
  const url = new URL("/receipt", paymentLink);
  url.searchParams.set("r", signedReceipt);
  return {
    file: `${new URL(paymentLink).pathname}/receipt`,
    checkUrl: url.href.length > MAX_CODE_CHARS ? null : url.href,
  };
}

function readWatchStatus({ env, wallets, unwatched, slow }: PaymentLinkView): PageWatchStatus {
  const name = (network: PaymentPair["network"]) => qualifiedNetworkName(env, network);
  const lateName = (network: PaymentPair["network"]) => lateNetworkName(env, network);
  return {
    networks: [...new Set(wallets.flatMap(({ network }) => [name(network), lateName(network)]))],
    unwatched: [...unwatched.map(name), ...slow.map(lateName)],
  };
}

/** The stage of the link, if a price is known. `choosing`: the visitor asked for the choice again. */
export function stageOf(
  view: PaymentLinkView,
  { now, choosing = false }: Pick<CheckoutModelOptions, "now" | "choosing">,
): Stage {
  const stage = chooseStage(view, now);
  const canChoose = (stage === "pay" || stage === "topUp") && view.selectablePairs.length > 0;
  return choosing && canChoose ? "choose" : stage;
}

function chooseStage(view: PaymentLinkView, now: Date): Stage {
  const isTimeUp = view.checking || now >= view.expiresAt;
  switch (view.state) {
    case "completed":
      return "paid";
    case "overpaid":
      return "overpaid";
    case "expired":
      return view.reason === "canceled" ? "canceled" : "expired";
    case "failed":
      return view.reason === "unconfirmed" ? "unconfirmed" : "underpaid";
    case "detected":
      return "confirming";
    case "partial":
      return isTimeUp ? "checking" : "topUp";
    case "awaiting":
      return isTimeUp ? "checking" : "pay";
    case "open":
      if (isTimeUp) return "checking";
      return view.selectablePairs.length > 0 ? "choose" : "noChoice";
  }
}

/** The pair asked for, otherwise the pair of the newest payment, otherwise the pair chosen last. */
function choosePair(
  view: PaymentLinkView,
  { network, token }: Pick<CheckoutModelOptions, "network" | "token">,
): PaymentPair | null {
  const requested = view.wallets.findLast(
    (wallet) => wallet.network === network && (token ?? wallet.token) === wallet.token,
  );
  const paid = view.payments.findLast((payment) => payment.status !== "dropped");
  const chosen = requested ?? paid ?? view.wallets.at(-1);
  return chosen ? { network: chosen.network, token: chosen.token } : null;
}

type BrandedLink = Pick<PaymentLinkView, "branding" | "paymentLink">;

/**
 * Path of the merchant's logo, next to the link's page under PAYMENT_URL. Null if the merchant has no logo.
 */
export function logoPath({ branding, paymentLink }: BrandedLink): string | null {
  return branding.logo === null ? null : new URL(`logo/${branding.logo}.webp`, paymentLink).pathname;
}

/** Path of the stylesheet with the merchant's color. Null if the page uses its own colors. */
export function accentPath({ branding, paymentLink }: BrandedLink): string | null {
  return branding.accent === null
    ? null
    : new URL(`accent/${accentSheet(branding.accent).name}`, paymentLink).pathname;
}
