import type { Db } from "#lib/db/connection.ts";
import { selectDeliveries } from "./retrigger-store.ts";
import type { Delivery, DeliveryStatus, Owner } from "./types.ts";

/** What was sent, or is to be, for an owner: newest event first, below the event id `before`; null: from the newest. */
export function listDeliveries(
  db: Db,
  owner: Owner,
  filter: { status: DeliveryStatus | null; before: number | null; limit: number },
): Promise<Delivery[]> {
  return selectDeliveries(db, owner, filter);
}
