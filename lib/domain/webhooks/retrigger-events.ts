import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { boundOrigin, isWithin } from "./bound-rules.ts";
import {
  findEventOfDelivery,
  insertRedeliveries,
  lockEvent,
  lockEventsBetween,
  lockEventsOfHashes,
  notifyDue,
  type RedeliveryFilter,
} from "./event-store.ts";
import { findEndpoint, isEventOf } from "./queries.ts";
import { listHashForms } from "./rules.ts";

/** Limit of events per transaction hash. The newest are sent. */
const AT_MOST = 500;
const MOST_OF_A_TIME = 10_000;

/**
 * Sends every stored standard event of a transaction again to the subscribed endpoints, with the same webhook-id and
 * a new timestamp and signature. Case and a 0x prefix of the hash do not matter. Returns the ids of the
 * events that are sent, ascending; empty if no endpoint accepts them.
 */
export const retriggerEvents = defineVerb(
  "webhook.retrigger",
  async ({ tx, now, merchantId, env }, { txHash }: { readonly txHash: string }) => {
    const hashes = listHashForms(txHash);
    const found = await lockEventsOfHashes(tx, { merchantId, env }, hashes, AT_MOST);
    if (found.length === 0) return refuse("webhook_events_not_found");
    const eventIds = await sendAgain(tx, found, now);
    const details = { env, tx_hash: txHash, events: eventIds.length };
    return done({ eventIds }, { subject: `merchant:${merchantId}`, details });
  },
);

/** Like retriggerEvents, for one event. */
export const redeliverEvent = defineVerb(
  "webhook.redeliver",
  async ({ tx, now, merchantId, env }, { id }: { readonly id: number }) => {
    if (!(await isEventOf(tx, { merchantId, env }, id)) || !(await lockEvent(tx, id)))
      return refuse("webhook_event_not_found");
    const sent = await sendAgain(tx, [id], now);
    if (sent.length === 0) return refuse("no_endpoint_takes_it");
    return done({}, { subject: `event:${id}`, details: { env } });
  },
);

/**
 * Sends the event of a delivery again to its endpoint, as another delivery that names the first. A delivery of the event that is still due is
 * sent now instead. A key with an origin does it for its own endpoints alone.
 */
export const redeliverDelivery = defineVerb(
  "webhook.redeliver",
  async (
    { tx, now, actor, merchantId, env },
    asked: { readonly endpointId: number; readonly deliveryId: number },
  ) => {
    const owner = { merchantId, env };
    const endpoint = await findEndpoint(tx, owner, asked.endpointId);
    if (endpoint === null || !isWithin(boundOrigin(actor), endpoint)) return refuse("delivery_not_found");
    const eventId = await findEventOfDelivery(tx, asked);
    if (eventId === null || !(await lockEvent(tx, eventId))) return refuse("delivery_not_found");
    const only = { endpointId: endpoint.id, undelivered: false };
    const [delivery] = await insertRedeliveries(tx, [eventId], now, only);
    if (delivery === undefined) return refuse("delivery_not_found");
    await notifyDue(tx, [endpoint.id]);
    const details = { env, delivery: asked.deliveryId };
    return done({ delivery }, { subject: `webhook_endpoint:${endpoint.id}`, details });
  },
);

/**
 * Like retriggerEvents, for the merchant's events from `from` (included) to `to` (excluded), oldest first, at
 * most 10,000. `lastEvent` is the last event of the call if there may be more; the next call continues
 * `after` it.
 */
export const redeliverEvents = defineVerb(
  "webhook.redeliver-range",
  async (
    { tx, now, merchantId, env },
    asked: RedeliveryFilter & { readonly from: Date; readonly to: Date; readonly after: number },
  ) => {
    let { after } = asked;
    let [events, hasMore] = [0, true];
    for (let looked = 0; hasMore && looked < MOST_OF_A_TIME; looked += AT_MOST) {
      const found = await lockEventsBetween(tx, { merchantId, env }, { ...asked, after, limit: AT_MOST });
      events += (await sendAgain(tx, found, now, asked)).length;
      hasMore = found.length === AT_MOST;
      after = found.at(-1) ?? after;
    }
    const { from, to, undelivered, endpointId: endpoint } = asked;
    const period = { from: from.toISOString(), to: to.toISOString() };
    const details = { env, ...period, undelivered, endpoint, after: asked.after, events };
    return done(
      { events, lastEvent: hasMore ? after : null },
      { subject: `merchant:${merchantId}`, details },
    );
  },
);

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
