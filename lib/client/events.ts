import type { components } from "./schema.ts";

type Schemas = components["schemas"];
type Link = Schemas["PaymentLink"];

interface Envelope<Type extends string, Data> {
  /** The webhook-id, "evt_12": the same over repetitions of one event. */
  readonly id: string;
  readonly type: Type;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: Data;
}

type Environment = { readonly environment: "live" | "test" };

/** Of one link a lower `seq` is the older news: ignore it. */
export type PaymentLinkEvent = Envelope<
  | "payment_link_completed"
  | "payment_link_completed_overpaid"
  | "payment_link_failed"
  | "payment_link_late"
  | "payment_link_extra"
  | "payment_link_reverted",
  Pick<
    Link,
    | "refid"
    | "payment_reference"
    | "payment_link"
    | "state"
    | "reason"
    | "late"
    | "seq"
    | "amount_required"
    | "amount_currency"
    | "expires_at"
    | "payments"
    | "remaining"
    | "excess"
    | "metadata"
  > &
    Environment & { readonly received: Link["remaining"]; readonly customer: Link["customer_details"] }
>;

export type DepositEvent = Envelope<
  "deposit_credited" | "deposit_reversed",
  Schemas["Deposit"] & Environment & { readonly refid: string | null }
>;

export type WithdrawalEvent = Envelope<
  "withdrawal_completed" | "withdrawal_failed",
  Schemas["Withdrawal"] & Environment
>;

/** Another endpoint of the merchant's is sent nothing any more: it answered 410, or took nothing for five days. */
export type WebhookEndpointEvent = Envelope<
  "webhook_endpoint_disabled",
  {
    readonly id: number;
    readonly url: string | null;
    readonly reason: "gone" | "failing";
    /** First failure since its last success. */
    readonly failing_since: string | null;
    readonly disabled_at: string;
  } & Environment
>;

/** What a webhook says. Amounts are decimal strings. */
export type WebhookEvent = PaymentLinkEvent | DepositEvent | WithdrawalEvent | WebhookEndpointEvent;
