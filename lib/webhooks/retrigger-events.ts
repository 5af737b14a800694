import type { Tx } from "#lib/db/connection.ts";
import { lockEvent, lockEventsOfHashes, makeDueAgain } from "./retrigger-store.ts";
import { hashForms } from "./rules.ts";
import { notifyDue } from "./store.ts";
import type { Owner } from "./types.ts";

/** Of more events than this about one transaction the newest are sent. */
const AT_MOST = 500;

/**
 * Sends every stored event that speaks of a transaction again, to the endpoints that want it: the same webhook-id, a
 * fresh timestamp and signature. Upper and lower case, and with 0x or without, name one hash. Answers the ids of the
 * events that are on their way, ascending: none of them where no endpoint takes any.
 */
export async function retriggerEvents(
  tx: Tx,
  owner: Owner,
  txHash: string,
  now: Date,
): Promise<{ ok: true; eventIds: number[] } | { ok: false; reason: "webhook_events_not_found" }> {
  const found = await lockEventsOfHashes(tx, owner, hashForms(txHash), AT_MOST);
  if (found.length === 0) return { ok: false, reason: "webhook_events_not_found" };
  return { ok: true, eventIds: await sendAgain(tx, found, now) };
}

/** As retriggerEvents, for one event, whoever it belongs to. */
export async function redeliverEvent(
  tx: Tx,
  eventId: number,
  now: Date,
): Promise<{ ok: true } | { ok: false; reason: "webhook_event_not_found" | "no_endpoint_takes_it" }> {
  if (!(await lockEvent(tx, eventId))) return { ok: false, reason: "webhook_event_not_found" };
  const sent = await sendAgain(tx, [eventId], now);
  return sent.length > 0 ? { ok: true } : { ok: false, reason: "no_endpoint_takes_it" };
}

async function sendAgain(tx: Tx, eventIds: readonly number[], now: Date): Promise<number[]> {
  const due = await makeDueAgain(tx, eventIds, now);
  await notifyDue(tx, [...new Set(due.map(({ endpointId }) => endpointId))]);
  return [...new Set(due.map(({ eventId }) => eventId))].sort((a, b) => a - b);
}
