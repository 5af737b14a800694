import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { arrayParameter, namedStatement, sqlArray } from "#lib/platform/db/statements.ts";
import { notifyDue } from "./event-store.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type { AttemptRecord, ClaimedDelivery, FailedAttempt, WebhookFormat } from "./types.ts";

const instant = (at: Date | null) => sql`${at?.toISOString() ?? null}::timestamptz`;

/** Due at `at` and not claimed by a running worker. */
const claimable = (at: SQL) => sql`
  status = 'due' and next_attempt_at <= ${at} and (claimed_until is null or claimed_until <= ${at})`;

/** The format whose endpoints take the events of a link in order. */
const ORDERED = sql.raw("'btcpay'");

/** No earlier delivery of the same link waits for the same endpoint. */
const isNext = sql`
  (ordered_by is null or not exists (
    select from ${webhookDeliveries} earlier
    where earlier.endpoint_id = d.endpoint_id and earlier.ordered_by = d.ordered_by and earlier.status = 'due'
      and earlier.id < d.id))`;

interface ClaimedRow extends Record<string, unknown> {
  readonly id: string;
  readonly endpoint_id: string;
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
  readonly lease_until: Date | string;
}

/**
 * Each endpoint has its own limit. The ids come as an array, so that every plan reads the rows from their index. Its
 * commit does not wait for the disk: a crash of the database may lose the claim, and the delivery is sent again.
 */
const claimStatement = namedStatement<ClaimedRow>(
  "claim_webhook_deliveries",
  sql`
    with soon as materialized (select set_config('synchronous_commit', 'off', true)), asked as materialized (
      select a.* from soon, unnest(${arrayParameter("endpoints", "bigint")}, ${arrayParameter("limits", "integer")},
        ${arrayParameter("nows", "timestamptz")}, ${arrayParameter("leases", "timestamptz")})
        as a(endpoint_id, places, at, lease_until)
    ), endpoint as materialized (
      select p.id, url, format, automatic_redelivery, secret, failing_since, at, lease_until,
        case when failing_since is null then places else 1 end as places,
        case when previous_secret_until > at then previous_secret end as previous_secret
      from asked a join ${webhookEndpoints} p on p.id = a.endpoint_id
      where url is not null and disabled_at is null and removed_at is null
        and (format = ${ORDERED}) = (select ${sql.placeholder("ordered")}::boolean)
    ), due as materialized (
      select next.id from endpoint p cross join lateral (
        select id from ${webhookDeliveries} d
        where endpoint_id = p.id and ${claimable(sql`p.at`)} and ${isNext}
        order by next_attempt_at, id
        limit p.places
        for update skip locked
      ) next
    )
    update ${webhookDeliveries} d
    set attempts = d.attempts + 1, claimed_until = p.lease_until, updated_at = p.at
    from endpoint p, ${webhookEvents} e
    where d.id = any(array(select id from due)) and p.id = d.endpoint_id and e.id = d.event_id
    returning d.id, d.endpoint_id, d.attempts, d.event_id, d.original_id, d.ordered_by, e.body, p.url, p.format,
      p.automatic_redelivery, p.secret, p.previous_secret, p.failing_since, p.lease_until`,
);

/** A claim of up to `limit` deliveries of an endpoint, which excludes other workers until `leaseUntil`. */
export interface WantedClaim {
  readonly endpointId: number;
  readonly limit: number;
  readonly now: Date;
  readonly leaseUntil: Date;
}

/**
 * Starts attempts of the oldest due deliveries of open endpoints, and counts them: of those that take a link's events in order, or of the
 * others. A failing endpoint gets a single
 * attempt, to test whether it works again. Of the deliveries that are ordered by a link, only the oldest is claimed.
 * Returns the deliveries of each claim. Of several claims of one endpoint only the first gets any.
 */
export async function claimDueDeliveries(
  db: Db | Tx,
  claims: readonly WantedClaim[],
  { ordered }: { readonly ordered: boolean },
): Promise<readonly ClaimedDelivery[][]> {
  const byEndpoint = new Map<number, ClaimedDelivery[]>();
  const first = claims.filter(
    ({ endpointId }) => !byEndpoint.has(endpointId) && byEndpoint.set(endpointId, []),
  );
  const rows = await claimStatement(db, {
    ordered,
    endpoints: first.map(({ endpointId }) => endpointId),
    limits: first.map(({ limit }) => limit),
    nows: first.map(({ now }) => now.toISOString()),
    leases: first.map(({ leaseUntil }) => leaseUntil.toISOString()),
  });
  for (const row of rows) byEndpoint.get(Number(row.endpoint_id))?.push(toClaimed(row));
  return claims.map(({ endpointId }) => {
    const claimed = byEndpoint.get(endpointId) ?? [];
    byEndpoint.delete(endpointId);
    return claimed.sort((a, b) => a.eventId - b.eventId);
  });
}

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    id: Number(row.id),
    attempt: row.attempts,
    leaseUntil: new Date(row.lease_until),
    eventId: Number(row.event_id),
    body: row.body,
    endpointId: Number(row.endpoint_id),
    format: row.format,
    automaticRedelivery: row.automatic_redelivery,
    originalId: row.original_id === null ? null : Number(row.original_id),
    orderedBy: row.ordered_by,
    url: row.url,
    sealedSecret: row.secret,
    sealedPreviousSecret: row.previous_secret,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since),
  };
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
      where endpoint_id = ${endpointId} and ${claimable(instant(now))} and not exists (
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

/**
 * Matches the endpoint only if it still has the URL of the attempt. A new URL has neither accepted nor
 * rejected anything yet.
 */
const asAsked = ({ endpointId, url }: ClaimedDelivery) => sql`id = ${endpointId} and url = ${url}`;

const deliveredStatement = namedStatement(
  "record_delivered_webhooks",
  sql`
    with results as materialized (
      select * from unnest(${arrayParameter("deliveries", "bigint")}, ${arrayParameter("attempts", "integer")},
        ${arrayParameter("endpoints", "bigint")}, ${arrayParameter("urls", "text")}, ${arrayParameter("nows", "timestamptz")},
        ${arrayParameter("started", "timestamptz")}, ${arrayParameter("durations", "integer")},
        ${arrayParameter("statuses", "integer")}, ${arrayParameter("answers", "bytea")})
        as r(delivery_id, attempt, endpoint_id, url, at, started_at, duration_ms, status, answer)
    ), delivered as (
      update ${webhookDeliveries} d
      set status = 'delivered', next_attempt_at = null, claimed_until = null, last_status = r.status,
        last_error = null, updated_at = r.at
      from results r
      where d.id = r.delivery_id and d.status = 'due'
    ), logged as (
      insert into ${webhookAttempts} (delivery_id, attempt, url, started_at, duration_ms, status, answer)
      select delivery_id, attempt, url, started_at, duration_ms, status, answer from results
    )
    update ${webhookEndpoints} p set failing_since = null, updated_at = (select max(at) from results)
    where p.id = any(${arrayParameter("endpoints", "bigint")}) and p.failing_since is not null
      and exists (select from results r where r.endpoint_id = p.id and r.url = p.url)`,
);

/** An attempt that the receiver accepted. */
export interface DeliveredAttempt {
  readonly claimed: ClaimedDelivery;
  readonly attempt: Omit<AttemptRecord, "error">;
  readonly now: Date;
}

/**
 * Records deliveries, also if their claims have expired, because the receivers have the events. The endpoints are no
 * longer failing.
 */
export async function recordDelivered(db: Db | Tx, results: readonly DeliveredAttempt[]): Promise<void> {
  // Two workers lock the rows in the same order.
  const sorted = results.toSorted((a, b) => a.claimed.id - b.claimed.id);
  const column = (read: (result: DeliveredAttempt) => unknown) => sorted.map(read);
  await deliveredStatement(db, {
    deliveries: column(({ claimed }) => claimed.id),
    attempts: column(({ claimed }) => claimed.attempt),
    endpoints: column(({ claimed }) => claimed.endpointId),
    urls: column(({ claimed }) => claimed.url),
    nows: column(({ now }) => now.toISOString()),
    started: column(({ attempt }) => attempt.startedAt.toISOString()),
    durations: column(({ attempt }) => attempt.durationMs),
    statuses: column(({ attempt }) => attempt.status),
    answers: column(({ attempt }) => attempt.answer),
  });
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
  const { startedAt, durationMs, status, error, answer, retryAt } = failure;
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
    ), logged as (
      insert into ${webhookAttempts} (delivery_id, attempt, url, started_at, duration_ms, status, error, answer)
      values (${claimed.id}, ${claimed.attempt}, ${claimed.url}, ${instant(startedAt)}, ${durationMs}, ${status},
        ${error}, ${answer})
    )
    update ${webhookEndpoints} set failing_since = ${instant(now)}, updated_at = ${instant(now)}
    where ${asAsked(claimed)} and failing_since is null`);
}

/** Releases claims as if their attempts had not started. */
export async function releaseClaims(db: Db, claims: readonly ClaimedDelivery[], now: Date): Promise<void> {
  const ids = claims.map(({ id }) => id);
  const attempts = claims.map(({ attempt }) => attempt);
  await db.execute(sql`
    with released as (
      select d.id from ${webhookDeliveries} d
      join unnest(${sqlArray(ids, "bigint")}, ${sqlArray(attempts, "integer")}) as c(id, attempt) using (id)
      where d.status = 'due' and d.attempts = c.attempt
      order by d.id
      for update of d
    )
    update ${webhookDeliveries} d
    set attempts = d.attempts - 1, claimed_until = null, updated_at = ${instant(now)}
    from released where d.id = released.id`);
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
      where endpoint_id = ${endpointId} and ${claimable(instant(now))}
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
 * Makes every delivery due now that waits for a later attempt at the endpoint, and notifies the workers. This attempt is not one of the
 * schedule: several wrong corrections in a row do not use it up. Where the number of an attempt is sent (`ordered_by`), it counts. It reads the
 * lane's index. It waits for no lock: another transaction changes the deliveries that it skips.
 */
export async function retryWaitingDeliveries(tx: Tx, endpointId: number, now: Date): Promise<void> {
  await tx.execute(sql`
    with waiting as (
      select id from ${webhookDeliveries}
      where endpoint_id = ${endpointId} and status = 'due' and next_attempt_at > ${instant(now)}
        and (claimed_until is null or claimed_until <= ${instant(now)})
      for update skip locked
    )
    update ${webhookDeliveries} d
    set attempts = case when d.ordered_by is null then greatest(d.attempts - 1, 0) else d.attempts end,
      next_attempt_at = ${instant(now)}, updated_at = ${instant(now)}
    from waiting where d.id = waiting.id`);
  await notifyDue(tx, [endpointId]);
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
      select from ${webhookDeliveries} where endpoint_id = p.endpoint_id and ${claimable(instant(now))}
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
