import { sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { merchants } from "../merchants/tables.ts";
import { defaultKinds, HOURLY_LIMITS, LONGEST_WAIT_MS } from "./rules.ts";
import { mailSettings, mailStops, mails } from "./tables.ts";
import { ASKED_KINDS, type ClaimedMail, type MailOwner, type NewMail } from "./types.ts";

const instant = (at: Date | null) => sql`${at?.toISOString() ?? null}::timestamptz`;
const HOUR_MS = 3_600_000;

/** The kinds that a merchant wants, in a statement with the tables m and s. */
const wantedKinds = sql`coalesce(s.kinds,
  case a.env when 'live' then ${sqlArray(defaultKinds("live"), "text")} else ${sqlArray(defaultKinds("test"), "text")} end)`;

/**
 * Stores those mails whose kind the merchant wants, up to its hourly limit for each address, and notifies the workers. A
 * disabled merchant gets none. Returns how many were stored, and how many were left out because of the limit.
 */
export async function insertMails(
  tx: Tx,
  asked: readonly NewMail[],
  now: Date,
): Promise<{ readonly stored: number; readonly leftOut: number }> {
  const column = <Key extends keyof NewMail>(key: Key) => asked.map((mail) => mail[key]);
  const data = asked.map((mail) => JSON.stringify(mail.data));
  const limits = asked.map(({ kind }) => HOURLY_LIMITS[kind]);
  const { rows } = await tx.execute<{ stored: string; left_out: string }>(sql`
    with asked as (
      select * from unnest(
        ${sqlArray(column("merchantId"), "bigint")}, ${sqlArray(column("env"), "text")},
        ${sqlArray(column("kind"), "text")}, ${sqlArray(column("recipient"), "text")},
        ${sqlArray(data, "jsonb")}, ${sqlArray(limits, "integer")}
      ) with ordinality a(merchant_id, env, kind, recipient, data, hourly, place)
    ), wanted as (
      select a.*, coalesce(a.recipient, s.recipient, m.email) as address
      from asked a
      join ${merchants} m on m.id = a.merchant_id and m.status = 'active'
      left join ${mailSettings} s on s.merchant_id = a.merchant_id and s.env = a.env
      where (a.kind = any(${sqlArray(ASKED_KINDS, "text")}) or a.kind = any(${wantedKinds})) and not (a.kind = 'receipt' and exists (
        select from ${mailStops} p
        where p.merchant_id = a.merchant_id and p.env = a.env and p.address = lower(a.recipient)))
    ), counted as (
      select w.*, row_number() over (partition by merchant_id, lower(address), kind order by place) + (
        select count(*) from (
          select from ${mails} b
          where lower(b.recipient) = lower(w.address) and b.kind = w.kind and b.merchant_id = w.merchant_id
            and b.created_at > ${instant(new Date(now.getTime() - HOUR_MS))}
          limit w.hourly
        ) recent) as nth
      from wanted w
    ), stored as (
      insert into ${mails} (merchant_id, env, kind, recipient, data, next_attempt_at, created_at, updated_at)
      select merchant_id, env, kind, address,
        case when nth = hourly then data || '{"last": true}' else data end,
        ${instant(now)}, ${instant(now)}, ${instant(now)}
      from counted where nth <= hourly order by place
      returning id
    )
    select (select count(*) from stored) as stored, (select count(*) from counted where nth > hourly) as left_out,
      (select pg_notify(${CHANNELS.dueMails}, '') from stored limit 1)`);
  return { stored: Number(rows[0]?.stored ?? 0), leftOut: Number(rows[0]?.left_out ?? 0) };
}

interface ClaimedRow extends Record<string, unknown> {
  readonly id: string;
  readonly env: ClaimedMail["env"];
  readonly kind: ClaimedMail["kind"];
  readonly recipient: string;
  readonly data: ClaimedMail["data"];
  readonly token: string;
  readonly sender_domain: string;
  readonly attempts: number;
  readonly created_at: string | Date;
  readonly name: string;
  readonly support: string | null;
}

/**
 * Starts up to `limit` attempts of the oldest due mails. It counts the attempts and excludes other workers until
 * `leaseUntil`.
 */
export async function claimDueMails(
  db: Db,
  { limit, now, leaseUntil, domain }: { limit: number; now: Date; leaseUntil: Date; domain: string },
): Promise<ClaimedMail[]> {
  const { rows } = await db.execute<ClaimedRow>(sql`
    with due as materialized (
      select id from ${mails}
      where status = 'due' and next_attempt_at <= ${instant(now)}
        and (claimed_until is null or claimed_until <= ${instant(now)})
        and created_at > ${instant(new Date(now.getTime() - LONGEST_WAIT_MS))}
      order by next_attempt_at, id
      limit ${limit}
      for update skip locked
    )
    update ${mails} a
    set attempts = a.attempts + 1, claimed_until = ${instant(leaseUntil)}, updated_at = ${instant(now)},
      sender_domain = coalesce(a.sender_domain, ${domain})
    from due, ${merchants} m
    where a.id = due.id and m.id = a.merchant_id
    returning a.id, a.env, a.kind, a.recipient, a.data, a.token, a.sender_domain, a.attempts, a.created_at,
      m.name, m.support`);
  return rows.map((row) => ({
    id: Number(row.id),
    env: row.env,
    kind: row.kind,
    recipient: row.recipient,
    data: row.data,
    token: row.token,
    senderDomain: row.sender_domain,
    attempt: row.attempts,
    createdAt: new Date(row.created_at),
    merchantName: row.name,
    support: row.support,
  }));
}

/** Records that the server took the mail, also if the claim has expired. */
export async function recordSent(db: Db, { id }: ClaimedMail, status: number, now: Date): Promise<void> {
  await db.execute(sql`
    update ${mails} set status = 'sent', next_attempt_at = null, claimed_until = null, last_status = ${status},
      last_error = null, updated_at = ${instant(now)}
    where id = ${id} and status <> 'sent'`);
}

interface FailedMail {
  readonly status: number | null;
  readonly error: string;
  /** Null after the last attempt. */
  readonly retryAt: Date | null;
  /** False: the number of attempts stays as if this one had not started. */
  readonly counts: boolean;
}

/** Records a failed attempt. A later attempt of another worker stays. */
export async function recordFailure(
  db: Db,
  { id, attempt }: ClaimedMail,
  failure: FailedMail,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    update ${mails} set status = ${failure.retryAt === null ? "failed" : "due"},
      attempts = ${failure.counts ? attempt : attempt - 1}, next_attempt_at = ${instant(failure.retryAt)},
      claimed_until = null, last_status = ${failure.status},
      last_error = ${failure.error}, updated_at = ${instant(now)}
    where id = ${id} and status = 'due' and attempts = ${attempt}`);
}

/** Releases a claim as if the attempt had not started. */
export async function releaseMail(db: Db, { id, attempt }: ClaimedMail, now: Date): Promise<void> {
  await db.execute(sql`
    update ${mails} set attempts = ${attempt - 1}, claimed_until = null, updated_at = ${instant(now)}
    where id = ${id} and status = 'due' and attempts = ${attempt}`);
}

/** Makes a failed mail of this merchant due again. Returns false if it is not a failed one. */
export async function updateMailDue(
  tx: Tx,
  { id, merchantId, env }: MailOwner & { readonly id: number },
  now: Date,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    update ${mails} set status = 'due', attempts = 0, next_attempt_at = ${instant(now)}, created_at = ${instant(now)},
      updated_at = ${instant(now)}
    where id = ${id} and merchant_id = ${merchantId} and env = ${env} and status = 'failed'
    returning pg_notify(${CHANNELS.dueMails}, '')`);
  return rows.length > 0;
}

/** Fails up to `limit` due mails that are too old. Returns how many. */
export async function failOldMails(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute(sql`
    update ${mails} set status = 'failed', next_attempt_at = null, last_error = 'too old', updated_at = now()
    where id in (
      select id from ${mails} where status = 'due' and created_at <= ${instant(before)}
        and (claimed_until is null or claimed_until <= now())
      limit ${limit} for update skip locked)
    returning id`);
  return rows.length;
}

/** Deletes up to `limit` mails from before `before` that are not due. Returns how many. */
export async function deleteMailsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.execute(sql`
    delete from ${mails} where id in (
      select id from ${mails} where created_at < ${instant(before)} and status <> 'due'
      order by created_at limit ${limit})
    returning id`);
  return rows.length;
}
