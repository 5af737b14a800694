import type { Tx } from "#lib/platform/db/connection.ts";
import {
  insertRedeliveries,
  lockEvent,
  lockEventsBetween,
  lockEventsOfHashes,
  notifyDue,
  type RedeliveryFilter,
} from "./event-store.ts";
import { listHashForms } from "./rules.ts";
import type { WebhookOwner } from "./types.ts";

/** Of more events than this about one transaction the newest are sent. */
const AT_MOST = 500;
const MOST_OF_A_TIME = 10_000;

/**
 * Sends every stored event that speaks of a transaction again, to the endpoints that want it: the same webhook-id, a
 * fresh timestamp and signature. Upper and lower case, and with 0x or without, name one hash. Answers the ids of the
 * events that are on their way, ascending: none of them where no endpoint takes any.
 */
export async function retriggerEvents(
  tx: Tx,
  owner: WebhookOwner,
  txHash: string,
  now: Date,
): Promise<{ ok: true; eventIds: number[] } | { ok: false; reason: "webhook_events_not_found" }> {
  const found = await lockEventsOfHashes(tx, owner, listHashForms(txHash), AT_MOST);
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

/**
 * As retriggerEvents, for the owner's events of a time, `from` included and `to` not, oldest first: 10,000 at most.
 * `lastEvent` is the last that was looked at, where there may be more: the next call goes on `after` it.
 */
export async function redeliverEvents(
  tx: Tx,
  owner: WebhookOwner,
  asked: RedeliveryFilter & { readonly from: Date; readonly to: Date; readonly after: number },
  now: Date,
): Promise<{ ok: true; events: number; lastEvent: number | null }> {
  let { after } = asked;
  let events = 0;
  for (let looked = 0; looked < MOST_OF_A_TIME; looked += AT_MOST) {
    const found = await lockEventsBetween(tx, owner, { ...asked, after, limit: AT_MOST });
    events += (await sendAgain(tx, found, now, asked)).length;
    if (found.length < AT_MOST) return { ok: true, events, lastEvent: null };
    after = found.at(-1) ?? after;
  }
  return { ok: true, events, lastEvent: after };
}

async function sendAgain(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  again?: RedeliveryFilter,
): Promise<number[]> {
  if (eventIds.length === 0) return [];
  const due = await insertRedeliveries(tx, eventIds, now, again);
  await notifyDue(tx, [...new Set(due.map(({ endpointId }) => endpointId))]);
  return [...new Set(due.map(({ eventId }) => eventId))].sort((a, b) => a - b);
}
