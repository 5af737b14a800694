import type { Tx } from "#lib/platform/db/connection.ts";
import { composeStoredInvoiceEvent } from "./btcpay-rules.ts";
import { insertDeliveries, insertEvents, notifyDue, notifyListeners } from "./event-store.ts";
import { composeEventBody } from "./rules.ts";
import type { NewEvent, NewInvoiceEvent, StoredEvent } from "./types.ts";

/** Events per statement. More would block the process. */
const AT_ONCE = 250;

/**
 * Stores events in their order, with one due delivery per subscribed endpoint, and notifies the workers.
 * Everything is in the caller's transaction, so a rollback sends nothing. The number of statements does not
 * grow with the events. Throws SyntaxError if metadata is not valid JSON.
 */
export function emitEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<{ id: number }[]> {
  const toStored = (event: NewEvent) =>
    ({ ...event, format: "standard", body: composeEventBody(event, now) }) as const;
  return emit(tx, events, toStored, now);
}

/**
 * The same for events of the format `btcpay`. They are only worth storing for a merchant with such an endpoint (`listOwnersWithFormat`). Every
 * event of a link must be emitted under the lock of the link's row, so that ids are in the order of the commits.
 */
export function emitInvoiceEvents(
  tx: Tx,
  events: readonly NewInvoiceEvent[],
  now: Date,
): Promise<{ id: number }[]> {
  const toStored = (event: NewInvoiceEvent) =>
    ({ ...event, format: "btcpay", body: composeStoredInvoiceEvent(event, now) }) as const;
  return emit(tx, events, toStored, now);
}

async function emit<Event>(
  tx: Tx,
  events: readonly Event[],
  toStored: (event: Event) => StoredEvent,
  now: Date,
): Promise<{ id: number }[]> {
  const ids: { id: number }[] = [];
  for (let i = 0; i < events.length; i += AT_ONCE) {
    const part = events.slice(i, i + AT_ONCE).map(toStored);
    const inserted = await insertEvents(tx, part, now);
    const endpoints = await insertDeliveries(
      tx,
      inserted.map(({ id }) => id),
      now,
    );
    await notifyDue(tx, endpoints);
    await notifyListeners(tx, findHeard(part, inserted));
    ids.push(...inserted);
  }
  return ids;
}

/** The events that a program may listen to: standard ones of the test environment. */
function findHeard(events: readonly StoredEvent[], inserted: readonly { id: number }[]) {
  return events.flatMap(({ env, format, merchantId }, i) => {
    const id = inserted[i]?.id;
    return env === "test" && format === "standard" && id !== undefined ? [{ id, merchantId }] : [];
  });
}

/** Emits one event. See emitEvents. */
export async function emitEvent(tx: Tx, event: NewEvent, now: Date): Promise<{ id: number }> {
  const [stored] = await emitEvents(tx, [event], now);
  if (!stored) throw new Error("the event was not stored");
  return stored;
}
