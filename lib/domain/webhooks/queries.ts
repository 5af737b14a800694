import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { belongsTo, ENDPOINT_COLUMNS } from "./endpoint-store.ts";
import type { EventType } from "./events.ts";
import { getFormat } from "./formats.ts";
import { refidIn, webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from "./tables.ts";
import type {
  DeliveryFilter,
  DeliveryStatus,
  LoggedAttempt,
  LoggedDelivery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookFormat,
  WebhookOwner,
} from "./types.ts";

/** The merchant's endpoints in one environment, oldest first, without their secrets. */
export async function listEndpoints(db: Db | Tx, owner: WebhookOwner): Promise<WebhookEndpoint[]> {
  return db
    .select(ENDPOINT_COLUMNS)
    .from(webhookEndpoints)
    .where(belongsTo(owner))
    .orderBy(asc(webhookEndpoints.id));
}

/** The owner's endpoint with this number, unless it is removed. */
export async function findEndpoint(
  db: Db | Tx,
  owner: WebhookOwner,
  id: number,
): Promise<WebhookEndpoint | null> {
  const isIt = and(belongsTo(owner), eq(webhookEndpoints.id, id));
  const [row] = await db.select(ENDPOINT_COLUMNS).from(webhookEndpoints).where(isIt);
  return row ?? null;
}

/** SQL that is true if a merchant's environment, given by two columns, has an enabled endpoint of a format. The text has the format in it (namedStatement). */
export const hasEndpointOfFormat = (
  { merchantId, env }: { readonly merchantId: SQL; readonly env: SQL },
  format: WebhookFormat,
): SQL => sql`exists (
  select from ${webhookEndpoints} p
  where p.merchant_id = ${merchantId} and p.env = ${env} and p.format = ${sql.raw(`'${format}'`)} and p.removed_at is null
    and p.disabled_at is null)`;

/** The environments of merchants that have an endpoint of a format, among these. */
export async function listOwnersWithFormat(
  db: Db | Tx,
  owners: readonly WebhookOwner[],
  format: WebhookFormat,
): Promise<WebhookOwner[]> {
  if (owners.length === 0) return [];
  const { merchantId, env } = webhookEndpoints;
  const ids = [...new Set(owners.map((owner) => owner.merchantId))];
  return db
    .selectDistinct({ merchantId, env })
    .from(webhookEndpoints)
    .where(
      and(
        sql`${merchantId} = any(${sqlArray(ids, "bigint")})`,
        eq(webhookEndpoints.format, format),
        isNull(webhookEndpoints.removedAt),
        isNull(webhookEndpoints.disabledAt),
      ),
    );
}

/** The newest delivery to an endpoint. null: there was none. */
export async function findNewestDelivery(
  db: Db | Tx,
  endpointId: number,
): Promise<{ readonly status: DeliveryStatus; readonly createdAt: Date } | null> {
  const { status, createdAt } = webhookDeliveries;
  const [row] = await db
    .select({ status, createdAt })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpointId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1);
  return row ?? null;
}

/** The owner of an endpoint that is not removed. null: there is none. */
export async function findEndpointOwner(db: Db | Tx, id: number): Promise<WebhookOwner | null> {
  const { merchantId, env, removedAt } = webhookEndpoints;
  const own = and(eq(webhookEndpoints.id, id), isNull(removedAt));
  const [row] = await db.select({ merchantId, env }).from(webhookEndpoints).where(own);
  return row ?? null;
}

/** The owner of an event that is still kept. null: there is none. */
export async function findEventOwner(db: Db | Tx, id: number): Promise<WebhookOwner | null> {
  const { merchantId, env } = webhookEvents;
  const [row] = await db.select({ merchantId, env }).from(webhookEvents).where(eq(webhookEvents.id, id));
  return row ?? null;
}

/** True if the event is the owner's and still kept. */
export async function isEventOf(
  db: Db | Tx,
  { merchantId, env }: WebhookOwner,
  id: number,
): Promise<boolean> {
  const { id: eventId, merchantId: owner, env: eventEnv } = webhookEvents;
  return (await db.$count(webhookEvents, and(eq(eventId, id), eq(owner, merchantId), eq(eventEnv, env)))) > 0;
}

/** The URL of the first standard endpoint of each of these merchants in each environment, by merchant. */
export async function listFirstEndpointUrls(
  db: Db | Tx,
  merchantIds: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<Env, string | null>>>> {
  if (merchantIds.length === 0) return new Map();
  const { merchantId, env, id, url } = webhookEndpoints;
  const rows = await db
    .selectDistinctOn([merchantId, env], { merchantId, env, url })
    .from(webhookEndpoints)
    .where(
      and(
        inArray(merchantId, [...merchantIds]),
        eq(webhookEndpoints.format, "standard"),
        isNull(webhookEndpoints.removedAt),
      ),
    )
    .orderBy(asc(merchantId), asc(env), asc(id));
  const byMerchant = Map.groupBy(rows, (row) => row.merchantId);
  return new Map(
    merchantIds.map((merchant) => {
      const own = byMerchant.get(merchant) ?? [];
      const urlIn = (one: Env) => own.find((row) => row.env === one)?.url ?? null;
      return [merchant, { live: urlIn("live"), test: urlIn("test") }];
    }),
  );
}

/** A delivery in the operator's list. */
export type ListedDelivery = WebhookDelivery & {
  /** The link or withdrawal of the event; null: neither. */
  readonly refid: string | null;
};

/** Deliveries of an owner. `before`: only events below this id; `refid`: only events of this link or withdrawal; null: any. */
export interface ListedDeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly before: number | null;
  readonly refid: string | null;
  readonly limit: number;
}

/** Deliveries of an owner, newest event first. */
export async function listDeliveries(
  db: Db,
  { merchantId, env }: WebhookOwner,
  { status, before, refid, limit }: ListedDeliveryFilter,
): Promise<ListedDelivery[]> {
  return db
    .select({
      id: webhookDeliveries.id,
      eventId: webhookDeliveries.eventId,
      type: webhookEvents.type,
      refid: refidIn(webhookEvents.body),
      url: webhookEndpoints.url,
      status: webhookDeliveries.status,
      attempts: webhookDeliveries.attempts,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      lastStatus: webhookDeliveries.lastStatus,
      lastError: webhookDeliveries.lastError,
      createdAt: webhookDeliveries.createdAt,
      updatedAt: webhookDeliveries.updatedAt,
    })
    .from(webhookEvents)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.eventId, webhookEvents.id))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookEvents.merchantId, merchantId),
        eq(webhookEvents.env, env),
        status === null ? undefined : eq(webhookDeliveries.status, status),
        before === null ? undefined : lt(webhookEvents.id, before),
        refid === null ? undefined : eq(refidIn(webhookEvents.body), refid),
      ),
    )
    .orderBy(desc(webhookEvents.id), desc(webhookDeliveries.id))
    .limit(limit);
}

/**
 * Deliveries with their logged attempts, newest first, below the delivery id `before`. Bodies and answers are included
 * only for a single event: a page of them could have many megabytes.
 */
export async function listLoggedDeliveries(
  db: Db,
  owner: WebhookOwner,
  filter: DeliveryFilter & { readonly limit: number },
): Promise<LoggedDelivery[]> {
  const isOneEvent = filter.eventId !== null;
  const deliveries = await listDeliveriesByEndpoint(db, owner, { ...filter, withBody: isOneEvent });
  const ids = deliveries.map(({ id }) => id);
  const attempts = await listAttemptsOf(db, ids, { withAnswer: isOneEvent });
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, log: byDelivery.get(delivery.id) ?? [] }));
}

/** Counts the deliveries of all pages of a list. */
export async function countDeliveries(
  db: Db,
  { merchantId, env }: WebhookOwner,
  filter: DeliveryFilter,
): Promise<number> {
  const { rows } = await db.execute<{ n: string }>(sql`
    select count(*) as n from ${webhookDeliveries}
    where ${matchesFilter({ ...filter, before: null })} and endpoint_id in (
      select id from ${webhookEndpoints} p where merchant_id = ${merchantId} and env = ${env} and ${hasFormat(filter)}
    )`);
  return Number(rows[0]?.n ?? 0);
}

/** The logged attempts of a delivery with their answers, oldest first; empty if the log has none. */
export function listAttempts(db: Db, deliveryId: number): Promise<LoggedAttempt[]> {
  return listAttemptsOf(db, [deliveryId], { withAnswer: true });
}

/**
 * Counts for the metrics: `due` deliveries, and `disabled` endpoints of all merchants. `oldest` is when the oldest due
 * delivery became due; null without one. It ignores failing endpoints: they get one request at a time on purpose.
 */
export async function measureDeliveries(
  db: Db,
  now: Date,
): Promise<{ readonly due: number; readonly oldest: Date | null; readonly disabled: number }> {
  const [[row], disabled] = await Promise.all([
    db
      .select({
        due: count(),
        oldest:
          sql`min(${webhookDeliveries.nextAttemptAt}) filter (where ${isNull(webhookEndpoints.failingSince)})`
            .mapWith(webhookDeliveries.nextAttemptAt)
            .as("oldest"),
      })
      .from(webhookDeliveries)
      .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
      .where(and(eq(webhookDeliveries.status, "due"), lte(webhookDeliveries.nextAttemptAt, now))),
    db.$count(
      webhookEndpoints,
      and(isNotNull(webhookEndpoints.disabledAt), isNull(webhookEndpoints.removedAt)),
    ),
  ]);
  return { due: row?.due ?? 0, oldest: row?.oldest ?? null, disabled };
}

/** How many webhook endpoints of all merchants fail now, and are not disabled yet. */
export function countFailingEndpoints(db: Db): Promise<number> {
  const { failingSince, disabledAt, removedAt } = webhookEndpoints;
  return db.$count(webhookEndpoints, and(isNotNull(failingSince), isNull(disabledAt), isNull(removedAt)));
}

interface LoggedDeliveryRow extends Record<string, unknown> {
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
  readonly original_id: string | null;
  readonly format: WebhookFormat;
  readonly body: string | null;
}

const matchesFilter = ({ status, eventId, endpointId = null, before }: DeliveryFilter) => sql`
  ${status === null ? sql`true` : sql`status = ${status}`}
  and ${eventId === null ? sql`true` : sql`event_id = ${eventId}`}
  and ${endpointId === null ? sql`true` : sql`endpoint_id = ${endpointId}`}
  and ${before === null ? sql`true` : sql`id < ${before}`}`;

const hasFormat = ({ format = null }: Pick<DeliveryFilter, "format">) =>
  format === null ? sql`true` : sql`p.format = ${format}`;

/**
 * Deliveries to an owner's endpoints, removed ones included, newest first. The statement reads the newest deliveries of
 * each endpoint along an index, so it reads neither other owners' deliveries nor older ones.
 */
async function listDeliveriesByEndpoint(
  db: Db,
  { merchantId, env }: WebhookOwner,
  filter: DeliveryFilter & { readonly limit: number; readonly withBody: boolean },
): Promise<Omit<LoggedDelivery, "log">[]> {
  const { rows } = await db.execute<LoggedDeliveryRow>(sql`
    select d.*, p.url, p.format, e.type, ${filter.withBody ? sql`e.body` : sql`null`} as body
    from ${webhookEndpoints} p
    cross join lateral (
      select id, event_id, endpoint_id, original_id, status, attempts, next_attempt_at, last_status, last_error, created_at, updated_at
      from ${webhookDeliveries}
      where endpoint_id = p.id and ${matchesFilter(filter)}
      order by id desc limit ${filter.limit}
    ) d
    join ${webhookEvents} e on e.id = d.event_id
    where p.merchant_id = ${merchantId} and p.env = ${env} and ${hasFormat(filter)}
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
    body: row.body === null ? null : composeSentBody(row.body, row),
  }));
}

/** The text that the newest attempt of a delivery has sent, or that the first one will send. */
function composeSentBody(
  stored: string,
  row: Pick<LoggedDeliveryRow, "id" | "original_id" | "endpoint_id" | "event_id" | "attempts" | "format">,
): string {
  return getFormat(row.format).composeBody(stored, {
    deliveryId: Number(row.id),
    originalId: row.original_id === null ? null : Number(row.original_id),
    endpointId: Number(row.endpoint_id),
    eventId: Number(row.event_id),
    attempt: Math.max(row.attempts, 1),
  });
}

/** Logged attempts of these deliveries, oldest first. */
async function listAttemptsOf(
  db: Db,
  deliveryIds: readonly number[],
  { withAnswer }: { withAnswer: boolean },
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
      answer: withAnswer ? webhookAttempts.answer : sql<null>`null`,
    })
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.deliveryId, [...deliveryIds]))
    .orderBy(asc(webhookAttempts.id));
}

/**
 * Counts an owner's standard events of a time by type, and sums what its deposits credited in that time (decimal text, whole tokens).
 * Deposits below the minimum of their link are not in the sums.
 */
export async function summarizeEvents(
  db: Db | Tx,
  { merchantId, env }: WebhookOwner,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{
  readonly events: readonly { readonly type: EventType; readonly count: number }[];
  readonly credited: readonly { readonly network: string; readonly token: string; readonly amount: string }[];
}> {
  const inTime = sql`merchant_id = ${merchantId} and env = ${env} and format = 'standard'
    and created_at >= ${from.toISOString()}::timestamptz and created_at < ${to.toISOString()}::timestamptz`;
  const counted = await db.execute<{ type: EventType; count: string }>(sql`
    select type, count(*) as count from ${webhookEvents} where ${inTime} group by type order by type`);
  const summed = await db.execute<{ network: string; token: string; amount: string }>(sql`
    select data->>'network' as network, data->>'token' as token,
      trim_scale(sum((data->>'value')::numeric))::text as amount
    from (select body::json->'data' as data from ${webhookEvents} where ${inTime} and type = 'deposit_credited') e
    group by 1, 2 order by 1, 2`);
  return {
    events: counted.rows.map(({ type, count: n }) => ({ type, count: Number(n) })),
    credited: summed.rows,
  };
}
