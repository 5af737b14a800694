import type { Env } from "#lib/chains/network-data.ts";
import type { EventData, EventType } from "./events.ts";

/** Whose events they are, and in which environment. */
export interface WebhookOwner {
  readonly merchantId: number;
  readonly env: Env;
}

/** Where one event stands with one endpoint. */
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

/** Which deliveries are asked for; null: any. `before`: below this delivery's id. */
export interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly eventId: number | null;
  readonly before: number | null;
}

/** An attempt as the log has it. */
export interface LoggedAttempt extends AttemptRecord {
  readonly attempt: number;
  readonly url: string;
}

export interface LoggedDelivery extends WebhookDelivery {
  readonly endpointId: number;
  /** What is sent, the exact text; null where it was not asked for. */
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

/** Where a merchant's events go. The secret never leaves the store opened. */
export interface WebhookEndpoint {
  readonly id: number;
  readonly merchantId: number;
  readonly env: Env;
  /** null: the secret exists, no address yet. */
  readonly url: string | null;
  /** null: every event type. */
  readonly eventTypes: readonly string[] | null;
  /** Until then the secret before the last rotation signs too; null: there was none. */
  readonly previousSecretUntil: Date | null;
  /** First failure since the last success; null: none. */
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** Why nothing is sent to an endpoint any more: it answered 410, or has failed for days. */
export type DisableReason = "gone" | "failing";

/** A delivery that this worker alone may send now. */
export interface ClaimedDelivery {
  readonly id: number;
  /** Number of the attempt now begun, from 1. */
  readonly attempt: number;
  readonly eventId: number;
  /** The exact text to sign and send. */
  readonly body: string;
  readonly endpointId: number;
  readonly url: string;
  readonly sealedSecret: Buffer;
  /** The secret before it, while that still signs; null otherwise. */
  readonly sealedPreviousSecret: Buffer | null;
  /** First failure of the endpoint since its last success; null: none. */
  readonly failingSince: Date | null;
}

/** What an attempt met, for the log. */
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
  /** null: no further attempt. */
  readonly retryAt: Date | null;
}

/** What became of one request. */
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
  /** We stopped it ourselves, shutting down. */
  | { readonly kind: "interrupted" }
  /** Nothing was sent: its secret was sealed with another SECRET_KEY. */
  | { readonly kind: "unsigned" };
/** What counts as an attempt. */
export type AttemptOutcome = Extract<SendOutcome, { readonly kind: "answered" | "unreachable" }>;

/** What attempts are counted by. */
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

/** What an outcome means for the delivery. */
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
