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

/** Limit of events per transaction hash. The newest are sent. */
const AT_MOST = 500;
const MOST_OF_A_TIME = 10_000;

/**
 * Sends every stored event of a transaction again to the subscribed endpoints, with the same webhook-id and
 * a new timestamp and signature. Case and a 0x prefix of the hash do not matter. Returns the ids of the
 * events that are sent, ascending; empty if no endpoint accepts them.
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

/** Like retriggerEvents, for one event of any merchant. */
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
 * Like retriggerEvents, for the owner's events from `from` (included) to `to` (excluded), oldest first, at
 * most 10,000. `lastEvent` is the last event of the call if there may be more; the next call continues
 * `after` it.
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
