import { logoPath } from "#components/checkout/checkout-model.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { type SupportLink, supportLink } from "#lib/domain/merchants/support-rules.ts";
import type { ClaimView } from "#lib/domain/withdrawals/claims/queries.ts";
import { claimState, claimVersion } from "#lib/domain/withdrawals/claims/rules.ts";
import { dateFormat } from "#lib/platform/formats.ts";

/** The stage of a refund claim, for the payer. */
export type RefundStage =
  | "enter"
  | "confirm"
  | "pending"
  | "sending"
  | "completed"
  | "failed"
  | "revoked"
  | "expired";

const STAGE_OF_STATUS = {
  pending: "pending",
  processing: "sending",
  failed: "failed",
  completed: "completed",
  refund_queued: "failed",
} as const;

/** Everything that the page of a refund claim may show: nothing of the customer, of balances or of the payment link. */
export interface ClaimModel {
  readonly stage: RefundStage;
  readonly version: number;
  readonly test: boolean;
  readonly merchantName: string;
  readonly logo: string | null;
  readonly support: SupportLink | null;
  readonly reference: string;
  readonly amount: string;
  readonly symbol: string;
  readonly networkName: string;
  readonly note: string | null;
  readonly expiresAt: string;
  /** Where it goes: the address to confirm, or the one that was confirmed. */
  readonly address: string | null;
  /** The text that the payer typed and that was refused. */
  readonly typed: string;
  readonly txHash: string | null;
  readonly transactionUrl: string | null;
  readonly lang: string | null;
  readonly pair: null;
  /** Query parameters that the language switch keeps. */
  readonly widgetParams: Readonly<Record<string, string>>;
}

interface ClaimContext {
  readonly now: Date;
  readonly locale: string;
  readonly lang: string | null;
  readonly paymentUrl: string;
  /** The address that the payer typed, as people read it. Null if no address was typed, or if it was refused. */
  readonly toConfirm: string | null;
  readonly typed: string;
  /** A stored address as people read it. */
  displayAddress(address: string): string;
  transactionUrl(txHash: string): string | null;
}

export function buildClaimModel(view: ClaimView, context: ClaimContext): ClaimModel {
  const { claim, merchant, withdrawal, reference } = view;
  const { now, locale, toConfirm, typed } = context;
  const state = claimState(claim, now);
  const unconfirmed = state === "open" ? toConfirm : null;
  const address = withdrawal === null ? unconfirmed : context.displayAddress(withdrawal.toAddress);
  const txHash = withdrawal?.txHash ?? null;
  const date = dateFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const stageIfOpen = toConfirm === null ? "enter" : "confirm";
  const unused = state === "open" ? stageIfOpen : state === "revoked" ? "revoked" : "expired";
  return {
    stage: withdrawal === null ? unused : STAGE_OF_STATUS[withdrawal.status],
    version: claimVersion(view),
    test: claim.env === "test",
    merchantName: merchant.name,
    logo: logoPath({ branding: merchant, paymentLink: `${context.paymentUrl}/` }),
    support: merchant.support === null ? null : supportLink(merchant.support, reference),
    reference,
    amount: tokenText(claim.amount, claim.token, locale),
    symbol: claim.token.toUpperCase(),
    networkName: NETWORKS[claim.network].name,
    note: claim.note,
    expiresAt: `${date.format(claim.expiresAt)} UTC`,
    address,
    typed,
    txHash,
    transactionUrl: txHash === null ? null : context.transactionUrl(txHash),
    lang: context.lang,
    pair: null,
    widgetParams: typed === "" ? {} : { to: typed },
  };
}
