import type { Tx } from "#lib/platform/db/connection.ts";
import { insertDeliveries, insertEvents, notifyDue } from "./event-store.ts";
import { composeEventBody } from "./rules.ts";
import type { NewEvent } from "./types.ts";

/** Events per statement. More would block the process. */
const AT_ONCE = 250;

/**
 * Stores events in their order, with one due delivery per subscribed endpoint, and notifies the workers.
 * Everything is in the caller's transaction, so a rollback sends nothing. The number of statements does not
 * grow with the events. Throws SyntaxError if metadata is not valid JSON.
 */
export async function emitEvents(tx: Tx, events: readonly NewEvent[], now: Date): Promise<{ id: number }[]> {
  const ids: { id: number }[] = [];
  for (let i = 0; i < events.length; i += AT_ONCE) {
    const part = events
      .slice(i, i + AT_ONCE)
      .map((event) => ({ ...event, body: composeEventBody(event, now) }));
    const inserted = await insertEvents(tx, part, now);
    const endpoints = await insertDeliveries(
      tx,
      inserted.map(({ id }) => id),
      now,
    );
    await notifyDue(tx, endpoints);
    ids.push(...inserted);
  }
  return ids;
}

/** Emits one event. See emitEvents. */
export async function emitEvent(tx: Tx, event: NewEvent, now: Date): Promise<{ id: number }> {
  const [stored] = await emitEvents(tx, [event], now);
  if (!stored) throw new Error("the event was not stored");
  return stored;
}
