import { and, desc, eq, gt } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { belongsTo } from "./endpoint-store.ts";
import { getFormat } from "./formats.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { DeliveryStatus, WebhookOwner } from "./types.ts";

/** The newest attempt of a delivery, as the endpoint of a shop shows it. */
export interface AttemptedDelivery {
  readonly id: number;
  readonly status: DeliveryStatus;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly updatedAt: Date;
  /** The text that it sent. */
  readonly body: string;
}

const COLUMNS = {
  id: webhookDeliveries.id,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  originalId: webhookDeliveries.originalId,
  endpointId: webhookDeliveries.endpointId,
  eventId: webhookDeliveries.eventId,
  lastStatus: webhookDeliveries.lastStatus,
  lastError: webhookDeliveries.lastError,
  updatedAt: webhookDeliveries.updatedAt,
  format: webhookEvents.format,
  stored: webhookEvents.body,
} as const;

/** The deliveries of an owner's endpoint that have been attempted, newest first, or only the one with this id. */
export async function listAttemptedDeliveries(
  db: Db,
  owner: WebhookOwner,
  {
    endpointId,
    deliveryId,
    limit,
  }: { readonly endpointId: number; readonly deliveryId?: number; readonly limit: number },
): Promise<AttemptedDelivery[]> {
  const rows = await db
    .select(COLUMNS)
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        gt(webhookDeliveries.attempts, 0),
        deliveryId === undefined ? undefined : eq(webhookDeliveries.id, deliveryId),
        belongsTo(owner),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);
  return rows.map(({ format, stored, attempts, ...row }) => {
    const identity = { ...row, deliveryId: row.id, attempt: attempts };
    return { ...row, body: getFormat(format).composeBody(stored, identity) };
  });
}
