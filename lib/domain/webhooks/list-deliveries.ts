import type { Db } from "#lib/platform/db/connection.ts";
import { countLog, selectAttempts, selectLog } from "./log-store.ts";
import { selectDeliveries } from "./retrigger-store.ts";
import type {
  DeliveryFilter,
  DeliveryStatus,
  LoggedAttempt,
  LoggedDelivery,
  WebhookDelivery,
  WebhookOwner,
} from "./types.ts";

/** What was sent, or is to be, for an owner: newest event first, below the event id `before`; null: from the newest. */
export function listDeliveries(
  db: Db,
  owner: WebhookOwner,
  filter: { status: DeliveryStatus | null; before: number | null; limit: number },
): Promise<WebhookDelivery[]> {
  return selectDeliveries(db, owner, filter);
}

/**
 * Deliveries with what each attempt met, newest first, below the delivery id `before`. Bodies and answers are given for
 * a single event only: a whole page of them could be many megabytes.
 */
export async function listLoggedDeliveries(
  db: Db,
  owner: WebhookOwner,
  filter: DeliveryFilter & { readonly limit: number },
): Promise<LoggedDelivery[]> {
  const whole = filter.eventId !== null;
  const deliveries = await selectLog(db, owner, { ...filter, body: whole });
  const ids = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(await selectAttempts(db, ids, { answer: whole }), (one) => one.deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, log: attempts.get(delivery.id) ?? [] }));
}

/** How many there are in all. */
export function countDeliveries(db: Db, owner: WebhookOwner, filter: DeliveryFilter): Promise<number> {
  return countLog(db, owner, filter);
}

/** What each attempt at a delivery met, oldest first, with the answers; empty when there is none in the log. */
export function listAttempts(db: Db, deliveryId: number): Promise<LoggedAttempt[]> {
  return selectAttempts(db, [deliveryId], { answer: true });
}
