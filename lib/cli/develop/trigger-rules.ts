import type { EventType } from "#lib/domain/webhooks/events.ts";

/** How the sandbox makes an event happen, or why it cannot. */
export type Trigger =
  | {
      /** The scenario of POST /sandbox/payments. */
      readonly scenario: string;
      /** Whole tokens to pay instead of the scenario's amount. */
      readonly amount?: string;
      readonly about: string;
    }
  | { readonly unavailable: string };

const BY_A_PERSON = "the operator or the signer makes it happen: no test call does";

/** Every event type. An event type without a row does not compile. */
export const TRIGGERS: Readonly<Record<EventType, Trigger>> = {
  payment_link_completed: { scenario: "exact", about: "pays a link" },
  payment_link_completed_overpaid: { scenario: "over", about: "pays a link with half too much" },
  payment_link_failed: { scenario: "underpaid", about: "pays half of a link, and ends its time" },
  payment_link_late: { scenario: "late", about: "ends the time of a link, then pays it" },
  payment_link_extra: { scenario: "extra", about: "pays a link twice" },
  payment_link_reverted: { scenario: "reorganised", about: "pays a link, then a reorg drops the payment" },
  deposit_credited: { scenario: "exact", about: "pays a link" },
  deposit_reversed: { scenario: "reorganised", about: "pays a link, then a reorg drops the payment" },
  small_deposits: {
    scenario: "exact",
    amount: "0.000001",
    about: "pays a link with less than the minimum; the event comes up to a minute later",
  },
  withdrawal_completed: { unavailable: BY_A_PERSON },
  withdrawal_failed: {
    unavailable:
      "create a withdrawal with POST /withdrawals and cancel it with POST /withdrawals/{refid}/cancel",
  },
  withdrawal_approval_needed: {
    unavailable: "create a withdrawal that your merchant's rules let a second person approve",
  },
  refund_completed: { unavailable: BY_A_PERSON },
  webhook_endpoint_disabled: { unavailable: "let one of two webhook endpoints answer with 410" },
};

/** The list of `paylink trigger --help`. */
export function listTriggers(): string {
  const rows = Object.entries(TRIGGERS).map(([type, trigger]) => ({ type, trigger }));
  const width = Math.max(...rows.map(({ type }) => type.length));
  const lines = (wanted: (trigger: Trigger) => string | undefined) =>
    rows.flatMap(({ type, trigger }) => {
      const text = wanted(trigger);
      return text === undefined ? [] : [`  ${type.padEnd(width)}  ${text}`];
    });
  return [
    "",
    "Events:",
    ...lines((trigger) => ("about" in trigger ? trigger.about : undefined)),
    "",
    "Not here:",
    ...lines((trigger) => ("unavailable" in trigger ? trigger.unavailable : undefined)),
  ].join("\n");
}

/**
 * True for a refusal of the sandbox that another network may not give: the network is off, no development chain, or its chain cannot
 * play the scenario.
 */
export function mayTryAnother(code: string): boolean {
  return [
    "no_development_chain",
    "scenario_not_playable",
    "network_not_available",
    "pair_not_offered",
    "amount_too_many_decimals",
  ].includes(code);
}
