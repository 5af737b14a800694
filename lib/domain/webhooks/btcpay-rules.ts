import { JsonText, writeJson } from "#lib/platform/json-text.ts";
import type { AttemptDecision, AttemptOutcome, DeliveryIdentity, NewInvoiceEvent } from "./types.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Pause before each repeated attempt, measured from the attempt before it. They are those of BTCPay Server. */
const PAUSES = [10 * SECOND, MINUTE, ...Array<number>(6).fill(10 * MINUTE)];

/** Statuses that are tried again, besides those from 500 up. */
const RETRIED: readonly number[] = [408, 429];

/**
 * Decides what follows attempt number `attempt`. A 2xx status delivers. No answer, 5xx, 408 and 429 are tried again until the pauses end. Any
 * other answer is final. The endpoint stays enabled: a shop that is being set up may answer 404 for a while.
 */
export function decideAfterInvoiceAttempt(
  outcome: AttemptOutcome,
  { attempt, automaticRedelivery }: { readonly attempt: number; readonly automaticRedelivery: boolean },
  now: Date,
): AttemptDecision {
  const status = outcome.kind === "answered" ? outcome.status : null;
  if (status !== null && status >= 200 && status < 300) return { kind: "delivered", status };
  const error = outcome.kind === "answered" ? `answered ${outcome.status}` : outcome.error;
  const isRetried = status === null || status >= 500 || RETRIED.includes(status);
  const pause = isRetried && automaticRedelivery ? PAUSES[attempt - 1] : undefined;
  if (pause === undefined) return { kind: "failed", status, error, disableEndpoint: false };
  return { kind: "retry", status, error, at: new Date(now.getTime() + pause) };
}

/**
 * The text to store. It begins with the refid, by which events of a link are found, and which `composeInvoiceBody` replaces by the ids of a
 * delivery. Members of the same name in the metadata cannot hide it, because they come later.
 */
export function composeStoredInvoiceEvent(event: NewInvoiceEvent, now: Date): string {
  const { type, storeId, invoiceId, data, metadata } = event;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const body = writeJson({ refid: invoiceId, type, timestamp, storeId, invoiceId, ...data, metadata });
  JSON.parse(body);
  return body;
}

/** The text that is sent: the stored one with the ids of the delivery. Each attempt has an id of its own, as BTCPay Server gives it. */
export function composeInvoiceBody(stored: string, delivery: DeliveryIdentity): string {
  const { deliveryId, originalId, endpointId, attempt } = delivery;
  const original = String(originalId ?? deliveryId);
  const ids = writeJson({
    deliveryId: attempt === 1 ? String(deliveryId) : `${deliveryId}-${attempt}`,
    webhookId: String(endpointId),
    originalDeliveryId: original,
    isRedelivery: originalId !== null || attempt > 1,
  });
  return `${ids.slice(0, -1)},${stored.slice(stored.indexOf(",") + 1)}`;
}

/** The event that tests an endpoint. No invoice has its id. */
export function composeInvoiceTest(id: string, now: Date): string {
  const invoiceId = `__test__${id}__test__`;
  const event = { type: "InvoiceCreated", timestamp: Math.floor(now.getTime() / 1_000), storeId: "__test__" };
  return writeJson({
    deliveryId: invoiceId,
    webhookId: invoiceId,
    originalDeliveryId: invoiceId,
    isRedelivery: false,
    ...event,
    invoiceId,
    metadata: new JsonText("{}"),
  });
}
