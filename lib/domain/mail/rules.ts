import type { Env } from "#lib/chains/network-data.ts";
import { nextAttemptAt } from "#lib/domain/delivery/schedule-rules.ts";
import { DEPOSIT_STATUS_NUMBERS } from "#lib/domain/types.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import {
  type LinkMailContext,
  type LinkMailData,
  MAIL_KINDS,
  type MailCategory,
  type MailDecision,
  type MailKind,
  type MailOutcome,
  type NewMail,
  type SwitchedKind,
} from "./types.ts";

/** Mails of one kind from one merchant to one address within an hour. Strangers can cause some of them. */
export const HOURLY_LIMITS: Readonly<Record<MailKind, number>> = {
  receipt: 10,
  paid: 20,
  underpaid: 20,
  late: 20,
  unmatched: 20,
  endpoint_disabled: 20,
  digest: 20,
  invitation: 5,
  refund_claim: 5,
};
/** A mail that was not sent after this time fails: nobody wants it any more. */
export const LONGEST_WAIT_MS = 4 * 86_400_000;
/** Payments and deposits that one mail lists. */
export const LISTED = 20;

/** The kinds that are on until a merchant changes them. Test payments often have addresses of strangers. */
export function defaultKinds(env: Env): readonly SwitchedKind[] {
  return env === "live" ? MAIL_KINDS.filter((kind) => kind !== "digest") : [];
}

const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+$/;

/** True if a text is one plain address: no list, no name, no line break, no host without a dot. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text);
}

type LinkEvent = Extract<NewEvent, { readonly type: `payment_link_${string}` }>;

/** The kind of the merchant's mail about an event; null: none. */
function merchantKind({ type, data }: LinkEvent): MailKind | null {
  switch (type) {
    case "payment_link_completed":
    case "payment_link_completed_overpaid":
    case "payment_link_reverted":
      return "paid";
    case "payment_link_failed":
      return data.reason === "underpaid" || data.reason === "unconfirmed" ? "underpaid" : null;
    case "payment_link_late":
    case "payment_link_extra":
      return "late";
  }
}

/** The mails about an event of a payment link: to the merchant, and the payer's receipt. */
export function mailsOfLinkEvent(event: LinkEvent, context: LinkMailContext, now: Date): NewMail[] {
  const { merchantId, env, type, data } = event;
  const kind = merchantKind(event);
  if (kind === null) return [];
  const mail: LinkMailData = {
    event: type,
    refid: data.refid,
    reference: data.payment_reference,
    url: data.payment_link,
    reason: data.reason,
    amount: data.amount_required,
    currency: data.amount_currency,
    at: now.toISOString(),
    payments: data.payments
      .filter(({ status }) => status !== DEPOSIT_STATUS_NUMBERS.dropped)
      .map(({ network, token, amount, tx_hash }) => ({ network, token, amount, tx_hash }))
      .slice(-LISTED),
    received: data.received,
    remaining: data.remaining,
    excess: data.excess,
    ...context,
  };
  const toMerchant = { merchantId, env, kind, recipient: null, data: mail };
  const isReceipt = type === "payment_link_completed" || type === "payment_link_completed_overpaid";
  const { email } = data.customer;
  if (!isReceipt || !isMailAddress(email)) return [toMerchant];
  return [toMerchant, { ...toMerchant, kind: "receipt", recipient: email }];
}

const MINUTE_MS = 60_000;
/** The server takes no mail now (RFC 5321, 3.8). */
const BUSY = 421;

/**
 * Decides what follows attempt number `attempt`. A reply of the 500s about this mail is final. Any other failure is retried
 * until the schedule of webhooks ends. If the server was away or busy, the mail is tried again in 1 to 2 minutes, until
 * it is too old: the pauses of the worker protect the server. A mail that was offered keeps the schedule, because the server may
 * have taken it, and each retry may be a second mail. `random` is in [0, 1).
 */
export function decideAfterSending(
  outcome: Exclude<MailOutcome, { readonly kind: "interrupted" }>,
  attempt: number,
  now: Date,
  random: number,
): MailDecision {
  if (outcome.kind === "sent") return outcome;
  const isAnswer = outcome.kind === "refused";
  const status = isAnswer ? outcome.status : null;
  const server = isAnswer ? outcome.server : true;
  const failure = { status, server, error: isAnswer ? `answered ${status}` : outcome.error };
  // A refused login is no outage: each try may lengthen a provider's lock.
  const isAway = !isAnswer || status === BUSY;
  if (isAway && !outcome.offered) {
    const at = new Date(now.getTime() + Math.round(MINUTE_MS * (1 + random)));
    return { kind: "retry", at, counts: false, ...failure };
  }
  const isFinal = status !== null && status >= 500 && !server;
  const at = isFinal ? null : nextAttemptAt(attempt, now, random);
  return at === null ? { kind: "failed", ...failure } : { kind: "retry", at, counts: true, ...failure };
}

/** The category of an attempt for the metrics. `deferred`: the server asks to try again later. */
export function categorizeMail(
  outcome: Exclude<MailOutcome, { readonly kind: "interrupted" }>,
): MailCategory {
  if (outcome.kind === "sent") return "sent";
  if (outcome.kind === "refused") return outcome.status >= 500 ? "refused" : "deferred";
  return outcome.error === "timeout" ? "timeout" : "connection";
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** How long no mail is tried after the server has failed `failures` times in a row, in milliseconds. */
export function serverPause(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
}

const DAY_MS = 86_400_000;

/** The start of a timestamp's day, UTC. */
export function startOfDay(timestamp: Date): Date {
  return new Date(Math.floor(timestamp.getTime() / DAY_MS) * DAY_MS);
}

/** The day after. */
export function dayAfter(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}
