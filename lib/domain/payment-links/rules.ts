import type { LinkState } from "#lib/domain/types.ts";
import { CURRENCIES, isCurrencyCode } from "#lib/platform/money/currencies.ts";
import { fraction, ZERO } from "#lib/platform/money/fraction.ts";
import type { LinkRow } from "./types.ts";
import type { PayTerms } from "./valuation-rules.ts";

/** `unpaid` links accept payments, `seen` ones wait for confirmations, `paid` and `failed` ones have ended. */
type StateGroup = "unpaid" | "seen" | "paid" | "failed";

const STATE_GROUPS = {
  open: "unpaid",
  awaiting: "unpaid",
  partial: "unpaid",
  detected: "seen",
  completed: "paid",
  overpaid: "paid",
  failed: "failed",
  expired: "failed",
} as const satisfies Record<LinkState, StateGroup>;

type StateIn<Group extends StateGroup> = {
  [State in LinkState]: (typeof STATE_GROUPS)[State] extends Group ? State : never;
}[LinkState];

/** True if payments are still missing. Does not check the deadline. */
export function isUnpaid(state: LinkState): state is StateIn<"unpaid"> {
  return STATE_GROUPS[state] === "unpaid";
}

export function isPaid(state: LinkState): state is StateIn<"paid"> {
  return STATE_GROUPS[state] === "paid";
}

export function hasFailed(state: LinkState): state is StateIn<"failed"> {
  return STATE_GROUPS[state] === "failed";
}

/**
 * Returns the effect of a payment after the end. Late payments of a form's links are always held: what the form sells may have
 * been sold to somebody else after the link's end.
 */
export function latePolicyOf({ link, merchant }: Pick<LinkRow, "link" | "merchant">): "hold" | "accept" {
  return link.formId === null ? merchant.latePolicy : "hold";
}

/** The tolerance and the rounding of a link. They are its merchant's. */
export function payTermsOf({
  link,
  merchant,
}: {
  readonly link: Pick<LinkRow["link"], "amount" | "currency">;
  readonly merchant: Pick<
    LinkRow["merchant"],
    "toleranceUnderBps" | "toleranceUnderMax" | "toleranceOverBps" | "roundStablecoins"
  >;
}): PayTerms {
  const { currency, amount } = link;
  const { toleranceUnderMax: most } = merchant;
  // A stored link can have a currency that this version no longer knows.
  const unit = isCurrencyCode(currency) ? 10n ** BigInt(CURRENCIES[currency]) : 0n;
  return {
    underBps: merchant.toleranceUnderBps,
    underMost: most === null ? null : unit === 0n ? ZERO : fraction(BigInt(most) * unit, amount),
    overBps: merchant.toleranceOverBps,
    currency,
    roundStablecoins: merchant.roundStablecoins,
  };
}

/** True while a payment is missing before the deadline: quotes are renewed and networks can be selected. */
export function acceptsPayment(link: { state: LinkState; expiresAt: Date }, now: Date): boolean {
  return isUnpaid(link.state) && now < link.expiresAt;
}

/** The time to pay of a link that says no other. */
export const DEFAULT_LIFETIME_MS = 2 * 3_600_000;

/** The latest deadline that a new link may have: one year ahead. */
export function latestDeadline(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + 1);
  return latest;
}

/** `expires_at` is shown without milliseconds, so that the deadline must be a whole second. */
export function roundUpToSecond(milliseconds: number): Date {
  return new Date(Math.ceil(milliseconds / 1_000) * 1_000);
}

/**
 * The end of the time to pay: the deadline's second is part of it. A block's time and the deadline are whole seconds, so
 * nothing finer can be compared.
 */
export function timeToPayEnd(deadline: Date): Date {
  return new Date(deadline.getTime() + 1_000);
}

/** True if a payment was first seen after the deadline's second, or was reported as late. The only rule for `late`. */
export function isLate(
  { firstSeenAt, reportedLate }: { readonly firstSeenAt: Date; readonly reportedLate: boolean },
  deadline: Date,
): boolean {
  return reportedLate || firstSeenAt >= timeToPayEnd(deadline);
}
