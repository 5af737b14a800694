import type { Env } from "#lib/chains/network-data.ts";
import type { JsonValue } from "#lib/platform/json-text.ts";
import type { EventData, EventType } from "./events.ts";
import type { InvoiceEventType } from "./invoice-events.ts";

/**
 * The format of an endpoint. `standard`: the events of events.ts, as Standard Webhooks. `btcpay`: the events of invoice-events.ts, as
 * plugins of shops for BTCPay Server read them. formats.ts has the differences.
 */
export const WEBHOOK_FORMATS = ["standard", "btcpay"] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The merchant and environment of events. */
export interface WebhookOwner {
  readonly merchantId: number;
  readonly env: Env;
}

/** The state of one event at one endpoint. */
export interface WebhookDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly type: string;
  readonly url: string | null;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const DELIVERY_STATUSES = ["due", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Filter of deliveries; null: any. `before`: only deliveries below this id. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly eventId: number | null;
  /** Only deliveries to this endpoint. Absent: any. */
  readonly endpointId?: number | null;
  /** Only deliveries to endpoints of this format. Absent: of any. */
  readonly format?: WebhookFormat | null;
  readonly before: number | null;
}

/** An attempt in the log. */
export interface LoggedAttempt extends AttemptRecord {
  readonly attempt: number;
  readonly url: string;
}

export interface LoggedDelivery extends WebhookDelivery {
  readonly endpointId: number;
  /** The exact text that is sent; null if it was not requested. */
  readonly body: string | null;
  readonly log: readonly LoggedAttempt[];
}

/** An event to store: `data` fits the schema of `type` in events.ts. */
export type NewEvent = {
  readonly [Type in EventType]: {
    readonly merchantId: number;
    readonly env: Env;
    readonly type: Type;
    readonly data: EventData<Type>;
    /** Transaction hashes of the event. Endpoint 25 finds it by them. */
    readonly txHashes: readonly string[];
  };
}[EventType];

/** An event of a link as the format `btcpay` reports it. */
export interface NewInvoiceEvent extends WebhookOwner {
  readonly type: InvoiceEventType;
  /** The refid of the link. Its events are delivered in their order. */
  readonly invoiceId: string;
  readonly storeId: string;
  /** The members of this type of event. They come before the metadata. */
  readonly data: { readonly [name: string]: JsonValue };
  /** A JSON object. */
  readonly metadata: JsonValue;
  readonly txHashes: readonly string[];
}

/** An event as it is stored. */
export interface StoredEvent extends WebhookOwner {
  readonly format: WebhookFormat;
  readonly type: string;
  readonly body: string;
  readonly txHashes: readonly string[];
}

/** The identity of a delivery, in the text that is sent. */
export interface DeliveryIdentity {
  readonly deliveryId: number;
  /** The first delivery of the event to the endpoint; null: this one. */
  readonly originalId: number | null;
  readonly endpointId: number;
  readonly eventId: number;
  /** From 1. */
  readonly attempt: number;
}

/** The event of an endpoint that was disabled. */
export type EndpointDisabledEvent = Extract<NewEvent, { readonly type: "webhook_endpoint_disabled" }>;

/** An endpoint for a merchant's events. The store never returns its secret unencrypted. */
export interface WebhookEndpoint {
  readonly id: number;
  readonly merchantId: number;
  readonly env: Env;
  /** The address that receives events. Null: the secret exists, but there is no URL yet. */
  readonly url: string | null;
  readonly format: WebhookFormat;
  /** The types of events to send. Null: every type of the format. */
  readonly eventTypes: readonly string[] | null;
  /** False: a failed delivery is not tried again by itself. */
  readonly automaticRedelivery: boolean;
  /** Until then the secret before the last rotation also signs; null: no rotation. */
  readonly previousSecretUntil: Date | null;
  /** First failure since the last success; null: none. */
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** Why an endpoint is disabled: it answered 410, or has failed for days. */
export type DisableReason = "gone" | "failing";

/** A delivery that only this worker may send now. */
export interface ClaimedDelivery {
  readonly id: number;
  /** Number of the current attempt, from 1. */
  readonly attempt: number;
  /** After this time another worker may claim it. */
  readonly leaseUntil: Date;
  readonly eventId: number;
  /** The stored text, from which the format composes what is sent. */
  readonly body: string;
  readonly endpointId: number;
  readonly format: WebhookFormat;
  readonly automaticRedelivery: boolean;
  /** The first delivery of the event to the endpoint; null: this one. */
  readonly originalId: number | null;
  /** The link whose deliveries wait for this one; null: none waits. */
  readonly orderedBy: string | null;
  readonly url: string;
  readonly sealedSecret: Buffer;
  /** The previous secret while it still signs; null otherwise. */
  readonly sealedPreviousSecret: Buffer | null;
  /** First failure of the endpoint since its last success; null: none. */
  readonly failingSince: Date | null;
}

/** The result of an attempt, for the log. */
export interface AttemptRecord {
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The first 2 KiB of the answer's body; null: no answer. */
  readonly answer: Buffer | null;
}

/** A failed attempt and the time of the next one. */
export interface FailedAttempt extends AttemptRecord {
  readonly error: string;
  /** The time of the next attempt. Null: no further attempt. */
  readonly retryAt: Date | null;
}

/** The result of one request. */
export type SendOutcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly retryAfter: string | null;
      /** The first 2 KiB of the answer's body. */
      readonly answer: Buffer;
    }
  /** `error` is a short text without addresses or secrets: "timeout", "ECONNREFUSED". */
  | { readonly kind: "unreachable"; readonly error: string }
  /** This process stopped it at shutdown. */
  | { readonly kind: "interrupted" }
  /** Nothing was sent: the secret cannot be opened with SECRET_KEY. */
  | { readonly kind: "unsigned" };
/** A request that counts as an attempt. */
export type AttemptOutcome = Extract<SendOutcome, { readonly kind: "answered" | "unreachable" }>;

/** The label of attempts in the metrics. */
export const ATTEMPT_CATEGORIES = [
  "delivered",
  "redirected",
  "client_error",
  "server_error",
  "other_status",
  "timeout",
  "refused",
  "name",
  "connection",
  "tls",
  "unsigned",
  "other",
] as const;
export type AttemptCategory = (typeof ATTEMPT_CATEGORIES)[number];

/** The decision after an attempt. */
export type AttemptDecision =
  | { readonly kind: "delivered"; readonly status: number }
  | {
      readonly kind: "retry";
      readonly at: Date;
      readonly status: number | null;
      readonly error: string;
    }
  | {
      readonly kind: "failed";
      readonly status: number | null;
      readonly error: string;
      readonly disableEndpoint: boolean;
    };
