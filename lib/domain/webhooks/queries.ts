import { asc, inArray, sql } from "drizzle-orm";
import type { Db } from "#lib/platform/db/connection.ts";
import { countDisabledEndpoints } from "./endpoint-store.ts";
import { selectDeliveries, selectDueDeliveries } from "./event-store.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type {
  DeliveryFilter,
  DeliveryStatus,
  LoggedAttempt,
  LoggedDelivery,
  WebhookDelivery,
  WebhookOwner,
} from "./types.ts";
/** What was sent, or is to be, for an owner: newest event first, below the event id `before`; null: from the newest. */
export function listDeliveries(
  db: Db,
  owner: WebhookOwner,
  filter: { status: DeliveryStatus | null; before: number | null; limit: number },
): Promise<WebhookDelivery[]> {
  return selectDeliveries(db, owner, filter);
}

/**
 * Deliveries with what each attempt met, newest first, below the delivery id `before`. Bodies and answers are given for
 * a single event only: a whole page of them could be many megabytes.
 */
export async function listLoggedDeliveries(
  db: Db,
  owner: WebhookOwner,
  filter: DeliveryFilter & { readonly limit: number },
): Promise<LoggedDelivery[]> {
  const whole = filter.eventId !== null;
  const deliveries = await selectLog(db, owner, { ...filter, body: whole });
  const ids = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(await selectAttempts(db, ids, { answer: whole }), (one) => one.deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, log: attempts.get(delivery.id) ?? [] }));
}

/** How many there are in all. */
export function countDeliveries(db: Db, owner: WebhookOwner, filter: DeliveryFilter): Promise<number> {
  return countLog(db, owner, filter);
}

/** What each attempt at a delivery met, oldest first, with the answers; empty when there is none in the log. */
export function listAttempts(db: Db, deliveryId: number): Promise<LoggedAttempt[]> {
  return selectAttempts(db, [deliveryId], { answer: true });
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly type: string;
  readonly url: string | null;
  readonly status: LoggedDelivery["status"];
  readonly attempts: number;
  readonly next_attempt_at: string | Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: string | Date;
  readonly updated_at: string | Date;
  readonly body: string | null;
}

const wanted = ({ status, eventId, before }: DeliveryFilter) => sql`
  ${status === null ? sql`true` : sql`status = ${status}`}
  and ${eventId === null ? sql`true` : sql`event_id = ${eventId}`}
  and ${before === null ? sql`true` : sql`id < ${before}`}`;

/**
 * Deliveries to an owner's endpoints, former ones included, newest first. Each endpoint gives its newest along an
 * index, so that neither others' deliveries nor the owner's older ones are read. `body`: with the event's.
 */
export async function selectLog(
  db: Db,
  { merchantId, env }: WebhookOwner,
  filter: DeliveryFilter & { readonly limit: number; readonly body: boolean },
): Promise<Omit<LoggedDelivery, "log">[]> {
  const { rows } = await db.execute<Row>(sql`
    select d.*, p.url, e.type, ${filter.body ? sql`e.body` : sql`null`} as body
    from ${webhookEndpoints} p
    cross join lateral (
      select id, event_id, endpoint_id, status, attempts, next_attempt_at, last_status, last_error, created_at, updated_at
      from ${webhookDeliveries}
      where endpoint_id = p.id and ${wanted(filter)}
      order by id desc limit ${filter.limit}
    ) d
    join ${webhookEvents} e on e.id = d.event_id
    where p.merchant_id = ${merchantId} and p.env = ${env}
    order by d.id desc limit ${filter.limit}`);
  return rows.map((row) => ({
    id: Number(row.id),
    eventId: Number(row.event_id),
    endpointId: Number(row.endpoint_id),
    type: row.type,
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at === null ? null : new Date(row.next_attempt_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    body: row.body,
  }));
}

export async function countLog(
  db: Db,
  { merchantId, env }: WebhookOwner,
  filter: DeliveryFilter,
): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(sql`
    select count(*) as n from ${webhookDeliveries}
    where ${wanted({ ...filter, before: null })} and endpoint_id in (
      select id from ${webhookEndpoints} where merchant_id = ${merchantId} and env = ${env}
    )`);
  return Number(rows[0]?.n ?? 0);
}

/** Attempts of these deliveries that are still in the log, oldest first. `answer`: with what was answered. */
export async function selectAttempts(
  db: Db,
  deliveryIds: readonly number[],
  { answer }: { answer: boolean },
): Promise<(LoggedAttempt & { deliveryId: number })[]> {
  if (deliveryIds.length === 0) return [];
  return db
    .select({
      deliveryId: webhookAttempts.deliveryId,
      attempt: webhookAttempts.attempt,
      url: webhookAttempts.url,
      startedAt: webhookAttempts.startedAt,
      durationMs: webhookAttempts.durationMs,
      status: webhookAttempts.status,
      error: webhookAttempts.error,
      answer: answer ? webhookAttempts.answer : sql<null>`null`,
    })
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...deliveryIds]))
    .orderBy(asc(webhookAttempts.id));
}

/**
 * Deliveries whose time has come, and since when the oldest of them waits that no failing receiver holds up (null: none
 * does); endpoints that are sent nothing any more.
 */
export async function measureDeliveries(
  db: Db,
  now: Date,
): Promise<{ readonly due: number; readonly oldest: Date | null; readonly disabled: number }> {
  const [waiting, disabled] = await Promise.all([selectDueDeliveries(db, now), countDisabledEndpoints(db)]);
  return { ...waiting, disabled };
}
