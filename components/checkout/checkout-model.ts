import { NETWORKS } from "#lib/chains/networks.ts";
import { accentSheet } from "#lib/domain/merchants/accent-sheet.ts";
import { type SupportLink, supportLink } from "#lib/domain/merchants/support-rules.ts";
import { qualifiedNetworkName } from "#lib/domain/payment-links/rules.ts";
import type { NetworkToken, PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";
import { priceText, tokenText } from "./money-text.ts";
import { type PairChoice, toPairChoice } from "./pair-choice.ts";
import {
  buildInstructions,
  type InstructionOptions,
  type PaymentInstructions,
  secondsUntil,
} from "./payment-instructions.ts";
import { type PaymentLine, sumByToken, toPaymentLine } from "./payment-line.ts";
import { estimateWait, timestampText, type WaitEstimate } from "./time-text.ts";

/**
 * Seconds between a completion that the visitor sees live and the redirect to the shop. 20 seconds is the least that
 * leaves everyone time to cancel it (WCAG 2.2.1). The button on the page redirects at once.
 */
export const REDIRECT_AFTER_SECONDS = 20;

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

/** Is there still time to pay in it? */
export function hasTimeLeft(stage: Stage): boolean {
  return ["choose", "noChoice", "pay", "noPrice", "topUp"].includes(stage);
}

/** Stages in which what happens on the networks matters to the customer. */
const WATCHING_STAGES: ReadonlySet<Stage> = new Set(["pay", "noPrice", "topUp", "confirming", "checking"]);

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
  /** Path of the merchant's picture. */
  readonly logo: string | null;
  /** Where the merchant wants to be asked. */
  readonly support: SupportLink | null;
  readonly reference: string;
  readonly price: string;
  readonly secondsLeft: number;
  readonly choices: readonly PairChoice[];
  /** The language asked for by `?lang=`, which every further step keeps; null when the browser's was taken. */
  readonly lang: LanguageCode | null;
  /** What the widget added to the address, which every further step keeps too: parameters and their values. */
  readonly widgetParams: Readonly<Record<string, string>>;
  /** The network on show, or null when none has been chosen. */
  readonly network: NetworkToken["network"] | null;
  /** null unless something is to be sent and its price is known. */
  readonly instructions: PaymentInstructions | null;
  readonly received: readonly string[];
  readonly excess: readonly string[];
  readonly payments: readonly PaymentLine[];
  /** Until what was seen usually counts; null where nothing is waited for, or nobody can say. */
  readonly waitEstimate: WaitEstimate | null;
  /** When it was paid, in UTC; null until then. */
  readonly completedAt: string | null;
  /** Names of networks that cannot be seen now, while something may be on its way there. */
  readonly unwatchedNetworks: readonly string[];
  /** The same by the names that the socket uses. */
  readonly watchStatus: PageWatchStatus;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Moment of rendering, milliseconds: tells two renderings apart. */
  readonly renderedAt: number;
}

export interface CheckoutModelOptions extends InstructionOptions {
  /** Network the visitor asked to see, if picked; otherwise the page decides. */
  readonly network?: string | undefined;
  /** See CheckoutModel. */
  readonly lang?: LanguageCode | null;
  readonly widgetParams?: Readonly<Record<string, string>>;
}

/** Picks and words everything the page shows. Pure: same view and options, same model. */
export function buildCheckoutModel(view: PaymentLinkView, options: CheckoutModelOptions): CheckoutModel {
  const { now, locale } = options;
  const pair = choosePair(view, options.network);
  const wanted = chooseStage(view, now);
  const paying = wanted === "pay" || wanted === "topUp";
  const ask = paying && pair !== null ? buildInstructions(view, pair, options) : null;
  const choices = view.selectablePairs.filter((offer) => offer.network !== pair?.network).map(toPairChoice);
  const stage = paying && ask === null ? "noPrice" : wanted;
  const payments = view.payments.map((payment) => toPaymentLine(view, payment, locale));
  const waitSeconds = Math.max(0, ...payments.map((payment) => payment.waitSeconds));
  return {
    refid: view.refid,
    version: view.version,
    test: view.env === "test",
    stage,
    ended: ["completed", "overpaid", "failed", "expired"].includes(view.state),
    late: view.late,
    merchantName: view.merchantName,
    logo: logoPath(view),
    support:
      view.branding.support === null ? null : supportLink(view.branding.support, view.paymentReference),
    reference: view.paymentReference,
    price: priceText(view.amount, view.currency, locale),
    secondsLeft: secondsUntil(view.expiresAt, now),
    choices: paying || wanted === "choose" ? choices : [],
    lang: options.lang ?? null,
    widgetParams: options.widgetParams ?? {},
    network: pair?.network ?? null,
    instructions: ask,
    received: sumByToken(view.payments.filter((payment) => payment.status !== 2)),
    excess: view.excess.map((excess) => tokenText(excess.amount, excess.token)),
    payments,
    waitEstimate:
      stage === "confirming" && view.unwatched.length === 0 && waitSeconds > 0
        ? estimateWait(waitSeconds)
        : null,
    completedAt: view.completedAt && timestampText(view.completedAt, locale),
    unwatchedNetworks: WATCHING_STAGES.has(stage)
      ? view.unwatched.map((network) => NETWORKS[network].name)
      : [],
    watchStatus: WATCHING_STAGES.has(stage) ? readWatchStatus(view) : { networks: [], unwatched: [] },
    successUrl: view.successUrl,
    cancelUrl: view.cancelUrl,
    renderedAt: now.getTime(),
  };
}

function readWatchStatus({ env, wallets, unwatched }: PaymentLinkView): PageWatchStatus {
  const name = (network: NetworkToken["network"]) => qualifiedNetworkName(env, network);
  return { networks: wallets.map(({ network }) => name(network)), unwatched: unwatched.map(name) };
}

function chooseStage(view: PaymentLinkView, now: Date): Stage {
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
  return view.selectablePairs.length > 0 ? "choose" : "noChoice";
}

/** The one asked for; else where money has already arrived; else the newest picked. */
function choosePair(view: PaymentLinkView, network: string | undefined): NetworkToken | null {
  const asked = view.wallets.find((wallet) => wallet.network === network);
  const paid = view.payments.findLast((payment) => payment.status !== 2);
  return asked ?? paid ?? view.wallets.at(-1) ?? null;
}

type BrandedLink = Pick<PaymentLinkView, "branding" | "paymentLink">;

/** Path of the merchant's picture, which stands beside the link wherever PAYMENT_URL puts that; null: none. */
export function logoPath({ branding, paymentLink }: BrandedLink): string | null {
  return branding.logo === null ? null : new URL(`logo/${branding.logo}.webp`, paymentLink).pathname;
}

/** Path of the stylesheet with the merchant's colour; null: the page's own. */
export function accentPath({ branding, paymentLink }: BrandedLink): string | null {
  return branding.accent === null
    ? null
    : new URL(`face/${accentSheet(branding.accent).name}`, paymentLink).pathname;
}
