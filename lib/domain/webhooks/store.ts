import { and, asc, count, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { NewEvent } from "./types.ts";

/** Says to every worker, once the transaction is committed, that an endpoint has something due: its id. */
export const DUE_CHANNEL = "paylink_webhooks";

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
        ...{ merchantId, env, type, body },
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
    .where(sql`${webhookEvents.id} = any(${sql.param([...eventIds])}::bigint[])`)
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
    select pg_notify(${DUE_CHANNEL}, id::text) from unnest(${sql.param([...endpointIds])}::bigint[]) as id`);
}

/**
 * Deliveries whose time has come, in somebody's hands or in nobody's. `oldest`: of those for endpoints that did not fail
 * last, since one that fails is asked one thing at a time, whatever the workers do.
 */
export async function selectDueDeliveries(db: Db, now: Date): Promise<{ due: number; oldest: Date | null }> {
  const [row] = await db
    .select({
      due: count(),
      oldest:
        sql`min(${webhookDeliveries.nextAttemptAt}) filter (where ${isNull(webhookEndpoints.failingSince)})`
          .mapWith(webhookDeliveries.nextAttemptAt)
          .as("oldest"),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(and(eq(webhookDeliveries.status, "due"), lte(webhookDeliveries.nextAttemptAt, now)));
  return { due: row?.due ?? 0, oldest: row?.oldest ?? null };
}
