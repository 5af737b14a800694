import type { PaymentPair } from "#lib/chains/networks.ts";
import type { Payer } from "#lib/dev-chains/payers/types.ts";
import { hasFailed, isPaid, isUnpaid } from "#lib/domain/payment-links/rules.ts";
import type { LinkState } from "#lib/domain/types.ts";
import { divCeil, roundDownTo, roundUpTo } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { type Played, SCENARIOS, type Scenario } from "./types.ts";

type PayerSkills = Pick<Payer, "payOtherToken" | "payTwice">;

/** Returns whether the payer's chain can play a scenario: it may lack tokens, or replacements. */
export function isPlayable(scenario: Scenario, payer: PayerSkills): boolean {
  if (scenario === "wrong_token") return payer.payOtherToken !== undefined;
  return scenario !== "replaced" || payer.payTwice !== undefined;
}

/** The scenarios that a link in this state allows. */
export function scenariosFor(
  link: { readonly state: LinkState; readonly expiresAt: Date },
  payer: PayerSkills,
  now: Date,
): readonly Scenario[] {
  const open = isUnpaid(link.state) && now < link.expiresAt;
  const allowed = (scenario: Scenario) =>
    open || (scenario === "late" && hasFailed(link.state)) || (scenario === "extra" && isPaid(link.state));
  return SCENARIOS.filter((scenario) => allowed(scenario) && isPlayable(scenario, payer));
}

/**
 * The ledger units to pay of the amount that a quote asks for. null: too small to be paid in part, because half of it is
 * below the quote's minimum.
 */
export function amountFor(
  scenario: Scenario,
  { amount: asked, minimumReceive }: { readonly amount: bigint; readonly minimumReceive: bigint },
  token: TokenCode,
): bigint | null {
  const { ledgerDecimals, quoteDecimals } = TOKENS[token];
  if (scenario === "over") return roundUpTo(divCeil(asked * 3n, 2n), ledgerDecimals, quoteDecimals);
  if (scenario !== "short" && scenario !== "underpaid") return asked;
  const half = roundDownTo(asked / 2n, ledgerDecimals, quoteDecimals);
  return half < minimumReceive ? null : half;
}

/** The pair of a payment: the newest picked pair that fits the request, else one of the offered pairs. */
export function choosePair(
  link: { readonly wallets: readonly PaymentPair[]; readonly selectablePairs: readonly PaymentPair[] },
  asked: { readonly network: string | null; readonly token: string | null },
): PaymentPair | null {
  const fits = ({ network, token }: PaymentPair) =>
    (asked.network ?? network) === network && (asked.token ?? token) === token;
  const anything = asked.network === null && asked.token === null;
  const pair = link.wallets.findLast(fits) ?? (anything ? undefined : link.selectablePairs.find(fits));
  return pair ? { network: pair.network, token: pair.token } : null;
}

/** The state that the link reaches. `before`: its state at the time of the call. */
export function expectedOf(
  scenario: Scenario,
  before: LinkState,
  latePolicy: "hold" | "accept",
): NonNullable<Played["expected"]> {
  const waiting = before === "open" ? "awaiting" : before;
  switch (scenario) {
    case "exact":
    case "replaced":
      return { state: "completed", event: "payment_link_completed" };
    case "short":
      return { state: "partial", event: null };
    case "over":
      return { state: "overpaid", event: "payment_link_completed_overpaid" };
    case "underpaid":
      return { state: "failed", event: "payment_link_failed" };
    case "extra":
      return { state: isPaid(before) ? before : "completed", event: "payment_link_extra" };
    case "late":
      if (latePolicy === "accept") return { state: "completed", event: "payment_link_completed" };
      if (hasFailed(before)) return { state: before, event: "payment_link_late" };
      return { state: before === "partial" ? "failed" : "expired", event: "payment_link_late" };
    case "wrong_token":
      return { state: waiting, event: null };
    case "reorganised":
      return { state: waiting, event: "payment_link_reverted" };
  }
}
