import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { type SqlArrayType, sqlArray } from "#lib/platform/db/statements.ts";
import { orderIn, webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { StoredEvent, WebhookOwner } from "./types.ts";

const ownEvents = ({ merchantId, env }: WebhookOwner): SQL | undefined =>
  and(eq(webhookEvents.merchantId, merchantId), eq(webhookEvents.env, env));

const isStandard = eq(webhookEvents.format, "standard");

/**
 * Locks the newest events of the format `standard` with one of these hashes and returns their ids, ascending. A concurrent second
 * call waits and then finds the deliveries of the first.
 */
export async function lockEventsOfHashes(
  tx: Tx,
  owner: WebhookOwner,
  hashes: readonly string[],
  limit: number,
): Promise<number[]> {
  const newest = tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(ownEvents(owner), isStandard, sql`${webhookEvents.txHashes} && ${sqlArray(hashes, "text")}`))
    .orderBy(desc(webhookEvents.id))
    .limit(limit);
  const rows = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(sql`${webhookEvents.id} in ${newest}`)
    .orderBy(webhookEvents.id)
    .for("update");
  return rows.map(({ id }) => id);
}

/** Locks the event. Returns false if it does not exist. */
export async function lockEvent(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, id))
    .for("update");
  return rows.length > 0;
}

/** A delivery that is due now. */
interface DueDelivery {
  readonly id: number;
  readonly endpointId: number;
  readonly eventId: number;
}

/**
 * Locks an owner's events from `from` (included) to `to` (excluded) with an id above `after`. Returns their
 * ids, ascending.
 */
export async function lockEventsBetween(
  tx: Tx,
  owner: WebhookOwner,
  { from, to, after, limit }: { from: Date; to: Date; after: number; limit: number },
): Promise<number[]> {
  const rows = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        ownEvents(owner),
        gte(webhookEvents.createdAt, from),
        lt(webhookEvents.createdAt, to),
        gt(webhookEvents.id, after),
      ),
    )
    .orderBy(webhookEvents.id)
    .limit(limit)
    .for("update");
  return rows.map(({ id }) => id);
}

/** The event of a delivery to this endpoint. null: the endpoint has no such delivery. */
export async function findEventOfDelivery(
  tx: Tx,
  { deliveryId, endpointId }: { readonly deliveryId: number; readonly endpointId: number },
): Promise<number | null> {
  const isIt = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpointId));
  const [row] = await tx.select({ eventId: webhookDeliveries.eventId }).from(webhookDeliveries).where(isIt);
  return row?.eventId ?? null;
}

/** Endpoints to which an event is sent again. */
export interface RedeliveryFilter {
  /** The endpoint to send to. Null: every subscribed endpoint. */
  readonly endpointId: number | null;
  /** Only endpoints that have not accepted the event yet. */
  readonly undelivered: boolean;
}

/**
 * Makes each event due now at every enabled endpoint that is subscribed to it. A delivery that waits for a
 * later attempt becomes due now. A delivery that a worker is sending does not change. The events are locked, so that each
 * endpoint has at most one delivery of each that is due, however often it is asked for.
 */
export async function insertRedeliveries(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  { endpointId, undelivered }: RedeliveryFilter = { endpointId: null, undelivered: false },
): Promise<readonly DueDelivery[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await tx.execute<{ id: string; endpoint_id: string; event_id: string }>(sql`
    with wanted as (
      select e.id as event_id, p.id as endpoint_id, ${orderIn(sql`e.format`, sql`e.body`)} as ordered_by
      from ${webhookEvents} e
      join ${webhookEndpoints} p on p.merchant_id = e.merchant_id and p.env = e.env and p.format = e.format
      where e.id = any(${sqlArray(eventIds, "bigint")}) and p.url is not null and p.disabled_at is null
        and p.removed_at is null
        and (p.event_types is null or e.type = any(p.event_types))
        and (${endpointId}::bigint is null or p.id = ${endpointId})
        and not (${undelivered} and exists (
          select from ${webhookDeliveries} d
          where d.event_id = e.id and d.endpoint_id = p.id and d.status = 'delivered'
        ))
    ), waiting as (
      update ${webhookDeliveries} d
      set next_attempt_at = ${at}, updated_at = ${at}
      from wanted w
      where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id and d.status = 'due'
        and (d.claimed_until is null or d.claimed_until <= ${at})
      returning d.id, d.endpoint_id, d.event_id
    ), added as (
      insert into ${webhookDeliveries} (event_id, endpoint_id, ordered_by, original_id, next_attempt_at, created_at,
        updated_at)
      select w.event_id, w.endpoint_id, w.ordered_by, first.id, ${at}, ${at}, ${at}
      from wanted w
      left join lateral (
        select min(id) as id from ${webhookDeliveries} d
        where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
      ) first on true
      where not exists (
        select from ${webhookDeliveries} d
        where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id and d.status = 'due'
      )
      order by w.event_id, w.endpoint_id
      returning id, endpoint_id, event_id
    ), sending as (
      select d.id, d.endpoint_id, d.event_id from ${webhookDeliveries} d
      join wanted w on d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
      where d.status = 'due' and d.claimed_until > ${at}
    )
    select * from waiting union all select * from added union all select * from sending`);
  return rows.map((row) => ({
    id: Number(row.id),
    endpointId: Number(row.endpoint_id),
    eventId: Number(row.event_id),
  }));
}

/** Inserts the events in their order. Returns their ids, ascending. */
export async function insertEvents(
  tx: Tx,
  events: readonly StoredEvent[],
  now: Date,
): Promise<{ id: number }[]> {
  if (events.length === 0) return [];
  type Event = (typeof events)[number];
  const column = (read: (event: Event) => unknown, type: SqlArrayType) => sqlArray(events.map(read), type);
  // One parameter for each column: one for each value takes longer than the statement.
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${webhookEvents} (merchant_id, env, format, type, body, tx_hashes, created_at)
    select e.merchant_id, e.env, e.format, e.type, e.body, string_to_array(e.hashes, ' '), ${now.toISOString()}::timestamptz
    from unnest(
      ${column((e) => e.merchantId, "bigint")},
      ${column((e) => e.env, "text")},
      ${column((e) => e.format, "text")},
      ${column((e) => e.type, "text")},
      ${column((e) => e.body, "text")},
      ${column((e) => e.txHashes.join(" "), "text")}
    ) with ordinality as e(merchant_id, env, format, type, body, hashes, n)
    order by e.n
    returning id`);
  return rows.map(({ id }) => ({ id: Number(id) })).sort((a, b) => a.id - b.id);
}

/**
 * Inserts one due delivery of each event per enabled endpoint that has a URL and its format, and is subscribed to its type.
 * Returns each endpoint once.
 */
export async function insertDeliveries(tx: Tx, eventIds: readonly number[], now: Date): Promise<number[]> {
  if (eventIds.length === 0) return [];
  const wanted = tx
    .select({
      eventId: webhookEvents.id,
      endpointId: webhookEndpoints.id,
      orderedBy: orderIn(webhookEvents.format, webhookEvents.body).as("ordered_by"),
    })
    .from(webhookEvents)
    .innerJoin(
      webhookEndpoints,
      and(
        eq(webhookEndpoints.merchantId, webhookEvents.merchantId),
        eq(webhookEndpoints.env, webhookEvents.env),
        eq(webhookEndpoints.format, webhookEvents.format),
        isNotNull(webhookEndpoints.url),
        isNull(webhookEndpoints.disabledAt),
        isNull(webhookEndpoints.removedAt),
        or(
          isNull(webhookEndpoints.eventTypes),
          sql`${webhookEvents.type} = any(${webhookEndpoints.eventTypes})`,
        ),
      ),
    )
    .where(sql`${webhookEvents.id} = any(${sqlArray(eventIds, "bigint")})`)
    .orderBy(asc(webhookEvents.id), asc(webhookEndpoints.id));
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await tx.execute<{ endpoint_id: string }>(sql`
    with added as (
      insert into ${webhookDeliveries} (event_id, endpoint_id, ordered_by, next_attempt_at, created_at, updated_at)
      select w.event_id, w.endpoint_id, w.ordered_by, ${at}, ${at}, ${at}
      from (${wanted}) as w(event_id, endpoint_id, ordered_by)
      returning endpoint_id
    )
    select distinct endpoint_id from added`);
  return rows.map((row) => Number(row.endpoint_id));
}

/** Notifies the workers of endpoints with due deliveries, after the commit. */
export async function notifyDue(db: Db | Tx, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return;
  await db.execute(sql`
    select pg_notify(${CHANNELS.dueWebhooks}, id::text) from unnest(${sqlArray(endpointIds, "bigint")}) as id`);
}

/** Notifies the programs that listen to these events of the test environment, after the commit. */
export async function notifyListeners(
  tx: Tx,
  events: readonly { readonly id: number; readonly merchantId: number }[],
): Promise<void> {
  if (events.length === 0) return;
  const payloads = events.map(({ id, merchantId }) => `${id}:${merchantId}`);
  await tx.execute(sql`
    select pg_notify(${CHANNELS.testEvents}, payload) from unnest(${sqlArray(payloads, "text")}) as payload`);
}
