import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { AttemptRecord, ClaimedDelivery, FailedAttempt, WebhookFormat } from "./types.ts";

const instant = (at: Date | null) => sql`${at?.toISOString() ?? null}::timestamptz`;

/** Due at `at` and not claimed by a running worker. */
const claimable = (at: Date) => sql`
  status = 'due' and next_attempt_at <= ${instant(at)}
  and (claimed_until is null or claimed_until <= ${instant(at)})`;

/** No earlier delivery of the same link waits for the same endpoint. */
const isNext = sql`
  (ordered_by is null or not exists (
    select from ${webhookDeliveries} earlier
    where earlier.endpoint_id = d.endpoint_id and earlier.ordered_by = d.ordered_by and earlier.status = 'due'
      and earlier.id < d.id))`;

interface ClaimedRow extends Record<string, unknown> {
  readonly id: string;
  readonly attempts: number;
  readonly event_id: string;
  readonly body: string;
  readonly original_id: string | null;
  readonly ordered_by: string | null;
  readonly format: WebhookFormat;
  readonly automatic_redelivery: boolean;
  readonly url: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly failing_since: Date | string | null;
}

/**
 * Starts up to `limit` attempts of the oldest due deliveries of an open endpoint. It counts the attempts and
 * excludes other workers until `leaseUntil`. A failing endpoint gets a single attempt, to test whether it
 * works again. Of the deliveries that are ordered by a link, only the oldest is claimed.
 */
export async function claimDueDeliveries(
  db: Db,
  endpointId: number,
  { limit, now, leaseUntil }: { limit: number; now: Date; leaseUntil: Date },
): Promise<ClaimedDelivery[]> {
  const { rows } = await db.execute<ClaimedRow>(sql`
    with endpoint as materialized (
      select id, url, format, automatic_redelivery, secret, failing_since,
        case when previous_secret_until > ${instant(now)} then previous_secret end as previous_secret
      from ${webhookEndpoints}
      where id = ${endpointId} and url is not null and disabled_at is null and removed_at is null
    ), due as materialized (
      select id from ${webhookDeliveries} d
      where endpoint_id = ${endpointId} and ${claimable(now)} and exists (select from endpoint) and ${isNext}
      order by next_attempt_at, id
      limit (select case when failing_since is null then ${limit}::int else 1 end from endpoint)
      for update skip locked
    )
    update ${webhookDeliveries} d
    set attempts = d.attempts + 1, claimed_until = ${instant(leaseUntil)}, updated_at = ${instant(now)}
    from due, endpoint p, ${webhookEvents} e
    where d.id = due.id and e.id = d.event_id
    returning d.id, d.attempts, d.event_id, d.original_id, d.ordered_by, e.body, p.url, p.format,
      p.automatic_redelivery, p.secret, p.previous_secret, p.failing_since`);
  return rows
    .map((row) => ({
      id: Number(row.id),
      attempt: row.attempts,
      eventId: Number(row.event_id),
      body: row.body,
      endpointId,
      format: row.format,
      automaticRedelivery: row.automatic_redelivery,
      originalId: row.original_id === null ? null : Number(row.original_id),
      orderedBy: row.ordered_by,
      url: row.url,
      sealedSecret: row.secret,
      sealedPreviousSecret: row.previous_secret,
      failingSince: row.failing_since === null ? null : new Date(row.failing_since),
    }))
    .sort((a, b) => a.eventId - b.eventId);
}

/** Fails up to `limit` due deliveries of a closed endpoint. Returns how many. */
export async function failDueDeliveriesOfClosed(
  db: Db,
  endpointId: number,
  { limit, now }: { limit: number; now: Date },
): Promise<number> {
  const { rows } = await db.execute(sql`
    with closed as (
      select id from ${webhookDeliveries}
      where endpoint_id = ${endpointId} and ${claimable(now)} and not exists (
        select from ${webhookEndpoints} p
        where p.id = ${endpointId} and p.url is not null and p.disabled_at is null and p.removed_at is null
      )
      order by next_attempt_at, id
      limit ${limit}
      for update skip locked
    )
    update ${webhookDeliveries} d
    set status = 'failed', next_attempt_at = null, claimed_until = null, last_status = null,
      last_error = 'endpoint disabled', updated_at = ${instant(now)}
    from closed where d.id = closed.id
    returning d.id`);
  return rows.length;
}

/** Part of a statement that logs the attempt. */
const logged = (
  { id, attempt, url }: ClaimedDelivery,
  { startedAt, durationMs, status, error, answer }: AttemptRecord,
) => sql`
  insert into ${webhookAttempts} (delivery_id, attempt, url, started_at, duration_ms, status, error, answer)
  values (${id}, ${attempt}, ${url}, ${instant(startedAt)}, ${durationMs}, ${status}, ${error}, ${answer})`;

/**
 * Matches the endpoint only if it still has the URL of the attempt. A new URL has neither accepted nor
 * rejected anything yet.
 */
const asAsked = ({ endpointId, url }: ClaimedDelivery) => sql`id = ${endpointId} and url = ${url}`;

/**
 * Records a delivery, also if the claim has expired, because the receiver has the event. The endpoint is no
 * longer failing.
 */
export async function recordDelivered(
  db: Db,
  claimed: ClaimedDelivery,
  attempt: AttemptRecord,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    with delivered as (
      update ${webhookDeliveries}
      set status = 'delivered', next_attempt_at = null, claimed_until = null, last_status = ${attempt.status},
        last_error = null, updated_at = ${instant(now)}
      where id = ${claimed.id} and status = 'due'
    ), logged as (${logged(claimed, attempt)})
    update ${webhookEndpoints} set failing_since = null, updated_at = ${instant(now)}
    where ${asAsked(claimed)} and failing_since is not null`);
}

/**
 * Records a failed attempt. `retryAt` is the time of the next attempt, or null. If the endpoint has another
 * URL now, the next attempt is due at once. A delivery of which another worker has started a later attempt
 * does not change. The endpoint is failing since now, or since its earlier failure.
 */
export async function recordFailure(
  db: Db,
  claimed: ClaimedDelivery,
  failure: FailedAttempt,
  now: Date,
): Promise<void> {
  const { status, error, retryAt } = failure;
  await db.execute(sql`
    with asked as materialized (
      select exists (select from ${webhookEndpoints} where ${asAsked(claimed)}) as still
    ), failed as (
      update ${webhookDeliveries}
      set status = case when still then ${retryAt === null ? "failed" : "due"} else 'due' end,
        next_attempt_at = case when still then ${instant(retryAt)} else ${instant(now)} end,
        claimed_until = null, last_status = ${status}, last_error = ${error}, updated_at = ${instant(now)}
      from asked
      where id = ${claimed.id} and status = 'due' and attempts = ${claimed.attempt}
    ), logged as (${logged(claimed, failure)})
    update ${webhookEndpoints} set failing_since = ${instant(now)}, updated_at = ${instant(now)}
    where ${asAsked(claimed)} and failing_since is null`);
}

/** Releases a claim as if the attempt had not started. */
export async function releaseClaim(db: Db, claimed: ClaimedDelivery, now: Date): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ attempts: claimed.attempt - 1, claimedUntil: null, updatedAt: now })
    .where(
      and(
        eq(webhookDeliveries.id, claimed.id),
        eq(webhookDeliveries.status, "due"),
        eq(webhookDeliveries.attempts, claimed.attempt),
      ),
    );
}

/** Postpones up to `limit` unclaimed due deliveries of an endpoint until `until`. `error` is the reason. */
export async function postponeDueDeliveries(
  db: Db,
  endpointId: number,
  { limit, until, error, now }: { limit: number; until: Date; error: string; now: Date },
): Promise<void> {
  await db.execute(sql`
    with postponed as (
      select id from ${webhookDeliveries}
      where endpoint_id = ${endpointId} and ${claimable(now)}
      order by next_attempt_at, id
      limit ${limit}
      for update skip locked
    )
    update ${webhookDeliveries} d
    set next_attempt_at = ${instant(until)}, claimed_until = null, last_status = null, last_error = ${error},
      updated_at = ${instant(now)}
    from postponed where d.id = postponed.id`);
}

/**
 * Lists up to `limit` endpoints with unclaimed due deliveries, by ascending id above `after`. The statement
 * steps from endpoint to endpoint along an index, so a long backlog of one endpoint costs nothing.
 */
export async function listDueEndpointIds(
  db: Db,
  { after, limit, now }: { after: number; limit: number; now: Date },
): Promise<number[]> {
  const next = (above: ReturnType<typeof sql>) => sql`(
    select endpoint_id from ${webhookDeliveries}
    where status = 'due' and endpoint_id > ${above} order by endpoint_id limit 1)`;
  const { rows } = await db.execute<{ endpoint_id: string }>(sql`
    with recursive endpoints(endpoint_id) as (
      select ${next(sql`${after}::bigint`)}
      union all
      select ${next(sql`endpoints.endpoint_id`)} from endpoints where endpoints.endpoint_id is not null
    )
    select p.endpoint_id from endpoints p
    where p.endpoint_id is not null and exists (
      select from ${webhookDeliveries} where endpoint_id = p.endpoint_id and ${claimable(now)}
    )
    limit ${limit}`);
  return rows.map((row) => Number(row.endpoint_id));
}

/** Deletes up to `limit` of the oldest attempts that started before `before`. Returns how many. */
export async function deleteOldestAttempts(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute(sql`
    delete from ${webhookAttempts}
    where id in (select id from ${webhookAttempts} order by id limit ${limit})
      and started_at < ${instant(before)}
    returning id`);
  return rows.length;
}

/** Deletes up to `limit` of the oldest events before `before` that are not due anywhere. Returns how many. */
export async function deleteEventsBefore(db: Db, before: Date, limit: number): Promise<number> {
  // If one is made due again meanwhile, its new delivery refuses the whole statement. The next call tries again.
  const { rows } = await db.execute(sql`
    with old as (
      select id from ${webhookEvents} e
      where created_at < ${instant(before)} and not exists (
        select from ${webhookDeliveries} d where d.event_id = e.id and d.status = 'due')
      order by created_at
      limit ${limit}
      for update skip locked
    ), deliveries as (
      delete from ${webhookDeliveries} d using old where d.event_id = old.id
      returning d.id
    ), attempts as (
      delete from ${webhookAttempts} a using deliveries where a.delivery_id = deliveries.id
    )
    delete from ${webhookEvents} e using old where e.id = old.id
    returning e.id`);
  return rows.length;
}
