import { and, asc, count, eq, isNotNull, isNull, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/db/connection.ts";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "#lib/db/schema.ts";
import type { ClaimedDelivery, Endpoint, NewEvent, Owner } from "./types.ts";

/** Name of the job in graphile-worker. */
export const DELIVER_TASK = "deliver_webhook";

function ownedBy(owner: Owner): SQL | undefined {
  return and(eq(webhookEndpoints.merchantId, owner.merchantId), eq(webhookEndpoints.env, owner.env));
}

export async function insertEndpoint(
  tx: Tx,
  owner: Owner,
  url: string | null,
  sealedSecret: Buffer,
): Promise<{ id: number }> {
  const [row] = await tx
    .insert(webhookEndpoints)
    .values({ merchantId: owner.merchantId, env: owner.env, url, secret: sealedSecret })
    .returning({ id: webhookEndpoints.id });
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Also enables them again: the new address has refused nothing yet. Answers how many endpoints changed. */
export async function setEndpointUrl(tx: Tx, owner: Owner, url: string | null): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ url, disabledAt: null, updatedAt: sql`now()` })
    .where(ownedBy(owner))
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}

/** What its endpoints are sent from now on; null: everything. Answers how many endpoints changed. */
export async function setEventTypes(
  tx: Tx,
  owner: Owner,
  eventTypes: readonly string[] | null,
): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ eventTypes: eventTypes && [...eventTypes], updatedAt: sql`now()` })
    .where(ownedBy(owner))
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}

export async function disableEndpoint(db: Db | Tx, endpointId: number, now: Date): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ disabledAt: now, updatedAt: now })
    .where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.disabledAt)));
}

export async function findEndpoints(db: Db | Tx, owner: Owner): Promise<Endpoint[]> {
  return db
    .select({
      id: webhookEndpoints.id,
      merchantId: webhookEndpoints.merchantId,
      env: webhookEndpoints.env,
      url: webhookEndpoints.url,
      eventTypes: webhookEndpoints.eventTypes,
      disabledAt: webhookEndpoints.disabledAt,
      createdAt: webhookEndpoints.createdAt,
    })
    .from(webhookEndpoints)
    .where(ownedBy(owner))
    .orderBy(asc(webhookEndpoints.id));
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
        ...{ merchantId, env, type, body },
        txHashes: [...txHashes],
        createdAt: now,
      })),
    )
    .returning({ id: webhookEvents.id });
  return rows.sort((a, b) => a.id - b.id);
}

/** For each event one due delivery per enabled endpoint with an address that wants its type. Answers their ids. */
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
        or(
          isNull(webhookEndpoints.eventTypes),
          sql`${webhookEvents.type} = any(${webhookEndpoints.eventTypes})`,
        ),
      ),
    )
    .where(sql`${webhookEvents.id} = any(${sql.param([...eventIds])}::bigint[])`)
    .orderBy(asc(webhookEvents.id), asc(webhookEndpoints.id));
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into ${webhookDeliveries} (event_id, endpoint_id, next_attempt_at, created_at, updated_at)
    select w.event_id, w.endpoint_id, ${at}, ${at}, ${at} from (${wanted}) as w(event_id, endpoint_id)
    returning id`);
  return rows.map(({ id }) => Number(id));
}

/**
 * Has a worker look at each delivery, at once or at `runAt`. A delivery has at most one waiting job; a running one, or
 * one that a dead worker left locked, does not count.
 */
export async function queueDeliveries(
  db: Db | Tx,
  ids: readonly number[],
  runAt: Date | null,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    select graphile_worker.add_job(
      ${DELIVER_TASK},
      json_build_object('deliveryId', id),
      run_at := ${runAt?.toISOString() ?? null}::timestamptz,
      job_key := 'webhook_delivery:' || id
    )
    from unnest(${sql.param([...ids])}::bigint[]) as id
  `);
}

/**
 * Begins an attempt: counts it and keeps every other worker away until `leaseUntil`. null when it is not due, done, or
 * in another's hands.
 */
export async function claimDelivery(
  db: Db,
  id: number,
  now: Date,
  leaseUntil: Date,
): Promise<ClaimedDelivery | null> {
  const [row] = await db
    .update(webhookDeliveries)
    .set({ attempts: sql`${webhookDeliveries.attempts} + 1`, claimedUntil: leaseUntil, updatedAt: now })
    .from(webhookEvents)
    // PostgreSQL lets a join here speak of the joined tables only, so its condition stands below.
    .innerJoin(webhookEndpoints, sql`true`)
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookEvents.id, webhookDeliveries.eventId),
        eq(webhookEndpoints.id, webhookDeliveries.endpointId),
        claimable(now),
      ),
    )
    .returning({
      id: webhookDeliveries.id,
      attempt: webhookDeliveries.attempts,
      eventId: webhookEvents.id,
      body: webhookEvents.body,
      endpointId: webhookEndpoints.id,
      url: webhookEndpoints.url,
      sealedSecret: webhookEndpoints.secret,
      disabledAt: webhookEndpoints.disabledAt,
    });
  return row ?? null;
}

function claimable(now: Date): SQL | undefined {
  return and(
    eq(webhookDeliveries.status, "due"),
    lte(webhookDeliveries.nextAttemptAt, now),
    or(isNull(webhookDeliveries.claimedUntil), lte(webhookDeliveries.claimedUntil, now)),
  );
}

/** The attempt's own row, unless another worker has begun a later attempt meanwhile. */
function attemptOf(claimed: ClaimedDelivery): SQL | undefined {
  return and(
    eq(webhookDeliveries.id, claimed.id),
    eq(webhookDeliveries.status, "due"),
    eq(webhookDeliveries.attempts, claimed.attempt),
  );
}

/** Counts even when the lease was lost: the receiver has it, nobody need send it again. */
export async function recordDelivered(db: Db, id: number, status: number, now: Date): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({
      status: "delivered",
      nextAttemptAt: null,
      claimedUntil: null,
      lastStatus: status,
      lastError: null,
      updatedAt: now,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.status, "due")));
}

/** Ends the attempt without success: `retryAt` is the next one, or null for none. */
export async function recordFailure(
  db: Db | Tx,
  claimed: ClaimedDelivery,
  failure: { status: number | null; error: string; retryAt: Date | null },
  now: Date,
): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({
      status: failure.retryAt === null ? "failed" : "due",
      nextAttemptAt: failure.retryAt,
      claimedUntil: null,
      lastStatus: failure.status,
      lastError: failure.error,
      updatedAt: now,
    })
    .where(attemptOf(claimed));
}

/** Takes a claim back as if the attempt had not begun. */
export async function releaseClaim(db: Db, claimed: ClaimedDelivery, now: Date): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ attempts: claimed.attempt - 1, claimedUntil: null, updatedAt: now })
    .where(attemptOf(claimed));
}

/** Due deliveries in nobody's hands that no waiting job will bring up now: their job, or its worker, was lost. */
export async function findForgottenDeliveries(db: Db, now: Date, limit: number): Promise<number[]> {
  const waitingJobs = db
    .select({ key: sql`key` })
    .from(sql`graphile_worker.jobs`)
    .where(
      sql`key = 'webhook_delivery:' || ${webhookDeliveries.id}
        and locked_at is null and attempts < max_attempts and run_at <= now()`,
    );
  const rows = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(claimable(now), sql`not exists ${waitingJobs}`))
    .orderBy(asc(webhookDeliveries.nextAttemptAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Deliveries whose time has come, in somebody's hands or in nobody's. */
export async function selectDueDeliveries(db: Db, now: Date): Promise<{ due: number; oldest: Date | null }> {
  const [row] = await db
    .select({ due: count(), oldest: min(webhookDeliveries.nextAttemptAt) })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.status, "due"), lte(webhookDeliveries.nextAttemptAt, now)));
  return { due: row?.due ?? 0, oldest: row?.oldest ?? null };
}
