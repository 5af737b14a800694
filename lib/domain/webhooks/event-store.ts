import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { NewEvent, WebhookOwner } from "./types.ts";

const ownEvents = ({ merchantId, env }: WebhookOwner): SQL | undefined =>
  and(eq(webhookEvents.merchantId, merchantId), eq(webhookEvents.env, env));

/**
 * Ids of the newest events that speak of one of these hashes, ascending, each locked: of two who send them again at
 * once, the second finds what the first has queued.
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
    .where(and(ownEvents(owner), sql`${webhookEvents.txHashes} && ${sqlArray(hashes, "text")}`))
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

/** True when there is such an event; it is locked then. */
export async function lockEvent(tx: Tx, id: number): Promise<boolean> {
  const rows = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, id))
    .for("update");
  return rows.length > 0;
}

/** A delivery that is about to be tried. */
interface DueDelivery {
  readonly endpointId: number;
  readonly eventId: number;
}

/** Ids of an owner's events of a time, `from` included and `to` not, ascending from above `after`. */
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

/** Which of the endpoints that want an event it is sent to again. */
export interface RedeliveryFilter {
  /** null: all of them. */
  readonly endpointId: number | null;
  /** Only those that have not taken it yet. */
  readonly undelivered: boolean;
}

/**
 * Has each event due now at every enabled endpoint that wants it. What is waiting for a later attempt is brought
 * forward; what a worker is just sending stays as it is.
 */
export async function insertRedeliveries(
  tx: Tx,
  eventIds: readonly number[],
  now: Date,
  { endpointId, undelivered }: RedeliveryFilter = { endpointId: null, undelivered: false },
): Promise<readonly DueDelivery[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await tx.execute<{ endpoint_id: string; event_id: string }>(sql`
    with wanted as (
      select e.id as event_id, p.id as endpoint_id
      from ${webhookEvents} e
      join ${webhookEndpoints} p on p.merchant_id = e.merchant_id and p.env = e.env
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
      returning d.endpoint_id, d.event_id
    ), added as (
      insert into ${webhookDeliveries} (event_id, endpoint_id, next_attempt_at, created_at, updated_at)
      select w.event_id, w.endpoint_id, ${at}, ${at}, ${at} from wanted w
      where not exists (
        select from ${webhookDeliveries} d
        where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id and d.status = 'due'
      )
      order by w.event_id, w.endpoint_id
      returning endpoint_id, event_id
    ), sending as (
      select d.endpoint_id, d.event_id from ${webhookDeliveries} d
      join wanted w on d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
      where d.status = 'due' and d.claimed_until > ${at}
    )
    select * from waiting union all select * from added union all select * from sending`);
  return rows.map((row) => ({ endpointId: Number(row.endpoint_id), eventId: Number(row.event_id) }));
}

/** Answers their ids in their order, which is ascending. */
export async function insertEvents(
  tx: Tx,
  events: readonly (NewEvent & { readonly body: string })[],
  now: Date,
): Promise<{ id: number }[]> {
  if (events.length === 0) return [];
  const rows = await tx
    .insert(webhookEvents)
    .values(
      events.map(({ merchantId, env, type, body, txHashes }) => ({
        merchantId,
        env,
        type,
        body,
        txHashes: [...txHashes],
        createdAt: now,
      })),
    )
    .returning({ id: webhookEvents.id });
  return rows.sort((a, b) => a.id - b.id);
}

/**
 * For each event one due delivery per enabled endpoint with an address that wants its type. Answers the endpoints, each
 * once.
 */
export async function insertDeliveries(tx: Tx, eventIds: readonly number[], now: Date): Promise<number[]> {
  if (eventIds.length === 0) return [];
  const wanted = tx
    .select({
      eventId: webhookEvents.id,
      endpointId: webhookEndpoints.id,
    })
    .from(webhookEvents)
    .innerJoin(
      webhookEndpoints,
      and(
        eq(webhookEndpoints.merchantId, webhookEvents.merchantId),
        eq(webhookEndpoints.env, webhookEvents.env),
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
      insert into ${webhookDeliveries} (event_id, endpoint_id, next_attempt_at, created_at, updated_at)
      select w.event_id, w.endpoint_id, ${at}, ${at}, ${at} from (${wanted}) as w(event_id, endpoint_id)
      returning endpoint_id
    )
    select distinct endpoint_id from added`);
  return rows.map((row) => Number(row.endpoint_id));
}

/** Wakes the workers for these endpoints when the transaction is committed. */
export async function notifyDue(db: Db | Tx, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return;
  await db.execute(sql`
    select pg_notify(${CHANNELS.dueWebhooks}, id::text) from unnest(${sqlArray(endpointIds, "bigint")}) as id`);
}
