import { and, asc, eq, lt, lte, sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral, toDepositNumber } from "#lib/domain/deposit-status.ts";
import type { LinkReason, LinkState, PaymentAnnouncement } from "#lib/domain/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { type SqlArrayType, sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { linkQuery } from "./queries.ts";
import { paymentLinks, paymentLinkWallets, quotes } from "./tables.ts";
import { insertStateChanges } from "./totals/count-days.ts";
import type { LinkRow, NewQuoteRow, PaymentStatus, QuoteRow } from "./types.ts";

/** Locks the links in ascending order of id. Every caller uses this order, so that no deadlock occurs. */
export async function lockLinks(tx: Tx, ids: readonly number[]): Promise<LinkRow[]> {
  if (ids.length === 0) return [];
  return linkQuery(tx)
    .where(sql`${paymentLinks.id} = any(${sqlArray(ids, "bigint")})`)
    .orderBy(asc(paymentLinks.id))
    .for("update", { of: paymentLinks });
}

export async function lockLink(tx: Tx, refid: string): Promise<LinkRow | null> {
  const [row] = await linkQuery(tx).where(eq(paymentLinks.refid, refid)).for("update", { of: paymentLinks });
  return row ?? null;
}

/** Locks those of these links that are due and that no other process has locked, in ascending order. */
export function lockDueLinks(tx: Tx, ids: readonly number[], now: Date): Promise<LinkRow[]> {
  return linkQuery(tx)
    .where(and(sql`${paymentLinks.id} = any(${sqlArray(ids, "bigint")})`, lte(paymentLinks.nextCheckAt, now)))
    .orderBy(asc(paymentLinks.id))
    .for("update", { of: paymentLinks, skipLocked: true });
}

export async function updateNextCheck(tx: Tx, id: number, nextCheckAt: Date): Promise<void> {
  await tx.update(paymentLinks).set({ nextCheckAt }).where(eq(paymentLinks.id, id));
}

export async function updateUsdCents(tx: Tx, linkId: number, cents: bigint): Promise<void> {
  await tx.update(paymentLinks).set({ usdCents: cents }).where(eq(paymentLinks.id, linkId));
}

export async function updateEnd(
  tx: Tx,
  linkId: number,
  end: { readonly expiresAt: Date; readonly canceledAt?: Date },
): Promise<void> {
  await tx.update(paymentLinks).set(end).where(eq(paymentLinks.id, linkId));
}

/** Replaces the merchant's notes on a link. */
export async function updateMetadata(
  tx: Tx,
  linkId: number,
  notes: { readonly metadata: string | null; readonly paymentReference: string },
  now: Date,
): Promise<void> {
  await tx
    .update(paymentLinks)
    .set({ ...notes, updatedAt: now })
    .where(eq(paymentLinks.id, linkId));
}

/** A time of null puts the link back into the list of the merchant's plugin. */
export async function updateArchived(tx: Tx, linkId: number, archivedAt: Date | null): Promise<void> {
  await tx.update(paymentLinks).set({ archivedAt }).where(eq(paymentLinks.id, linkId));
}

/** Inserts the quotes. Returns them with their ids, in the order of `rows`. */
export async function insertQuotes(tx: Tx, rows: readonly NewQuoteRow[]): Promise<QuoteRow[]> {
  if (rows.length === 0) return [];
  return tx
    .insert(quotes)
    .values([...rows])
    .returning();
}

export async function insertLinkWallet(tx: Tx, row: typeof paymentLinkWallets.$inferInsert): Promise<void> {
  await tx.insert(paymentLinkWallets).values(row);
}

/** First key of the advisory lock of a visitor. */
const VISITOR_LOCK = 0x70_6c_76;

/** Other transactions of this visitor's site wait until this one ends, so that two of them cannot exceed a limit together. */
export async function lockVisitor(tx: Tx, visitor: Buffer): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${VISITOR_LOCK}, ${visitor.readInt32BE(0)})`);
}

/** Deletes the visitor hashes of addresses allocated before `before`. */
export async function clearVisitors(db: Db | Tx, before: Date): Promise<void> {
  await db
    .update(paymentLinkWallets)
    .set({ visitor: null })
    .where(and(sql`${paymentLinkWallets.visitor} is not null`, lt(paymentLinkWallets.createdAt, before)));
}

export interface PaymentChange {
  readonly depositId: number;
  readonly linkId: number;
  /** A value of null changes nothing. */
  readonly quoteId: number | null;
  /** The quote of the early amount. null changes nothing. */
  readonly earlyQuoteId: number | null;
  /** Ledger units. Ignored if the payment is recorded already. */
  readonly minimumReceive: bigint;
}

/** Records payments, and the quotes of those that are recorded already. */
export async function upsertPayments(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  if (changes.length === 0) return;
  const column = (read: (change: PaymentChange) => unknown, type: SqlArrayType) =>
    sqlArray(changes.map(read), type);
  await tx.execute(sql`
    insert into payments (deposit_id, payment_link_id, quote_id, early_quote_id, minimum_receive)
    select * from unnest(
      ${column((c) => c.depositId, "bigint")},
      ${column((c) => c.linkId, "bigint")},
      ${column((c) => c.quoteId, "bigint")},
      ${column((c) => c.earlyQuoteId, "bigint")},
      ${column((c) => c.minimumReceive, "numeric")}
    )
    on conflict (deposit_id) do update set quote_id = coalesce(excluded.quote_id, payments.quote_id),
      early_quote_id = coalesce(excluded.early_quote_id, payments.early_quote_id)`);
}

/**
 * Takes the quotes from the payments of these links that were dropped from the mempool. If they come back, they are valued
 * like new ones: otherwise a payment that nobody mines would be a free option on the price.
 */
export async function clearDroppedQuotes(tx: Tx, linkIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    update payments p set quote_id = null, early_quote_id = null from deposits d
    where p.payment_link_id = any(${sqlArray(linkIds, "bigint")}) and p.quote_id is not null and d.id = p.deposit_id
      and d.status = ${depositLiteral("dropped")} and d.dropped_from = 'mempool'`);
}

/** Another announcement for all payments of a link that have these facts. An announcement depends on nothing else. */
export interface AnnouncementChange {
  readonly linkId: number;
  readonly status: PaymentStatus;
  readonly from: PaymentAnnouncement | null;
  readonly fromLate: boolean;
  readonly isValued: boolean;
  /** True: first seen at `timeEnd` or after it. */
  readonly isAfterEnd: boolean;
  readonly timeEnd: Date;
  readonly to: PaymentAnnouncement | null;
  readonly toLate: boolean;
}

/** Writes all changes in one statement. */
export async function updateAnnouncements(tx: Tx, changes: readonly AnnouncementChange[]): Promise<void> {
  if (changes.length === 0) return;
  const column = (read: (change: AnnouncementChange) => unknown, type: SqlArrayType) =>
    sqlArray(changes.map(read), type);
  await tx.execute(sql`
    update payments p set announced = c.announced, late = c.late
    from unnest(
      ${column((c) => c.linkId, "bigint")},
      ${column((c) => toDepositNumber(c.status), "integer")},
      ${column((c) => c.from, "text")},
      ${column((c) => c.fromLate, "boolean")},
      ${column((c) => c.isValued, "boolean")},
      ${column((c) => c.isAfterEnd, "boolean")},
      ${column((c) => c.timeEnd.toISOString(), "timestamptz")},
      ${column((c) => c.to, "text")},
      ${column((c) => c.toLate, "boolean")}
    ) as c(link_id, status, from_announced, from_late, valued, after_end, time_end, announced, late), deposits d
    where p.payment_link_id = c.link_id and d.id = p.deposit_id and d.status = c.status
      and p.announced is not distinct from c.from_announced and p.late = c.from_late
      and (p.quote_id is not null) = c.valued and (d.first_seen_at >= c.time_end) = c.after_end`);
}

export interface LinkChange {
  readonly id: number;
  readonly state: LinkState;
  readonly reason: LinkReason | null;
  readonly late: boolean;
  readonly seq: number;
  readonly nextCheckAt: Date | null;
  readonly completedAt: Date | null;
  /** Network of the payment that completed the link. null if none did. */
  readonly paidNetwork: NetworkCode | null;
  /** Its token. */
  readonly paidToken: TokenCode | null;
  /** The change is visible to readers: the version increases and open pages are notified. */
  readonly visible: boolean;
}

/**
 * Writes all changes, and what they add to the totals of days, in one statement. Notifies the web processes, which receive
 * it at the commit.
 */
export async function updateLinks(tx: Tx, changes: readonly LinkChange[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const column = (read: (change: LinkChange) => unknown, type: SqlArrayType) =>
    sqlArray(changes.map(read), type);
  await tx.execute(sql`
    with changed as (
      select * from unnest(
        ${column((c) => c.id, "bigint")},
        ${column((c) => c.state, "text")},
        ${column((c) => c.reason, "text")},
        ${column((c) => c.late, "boolean")},
        ${column((c) => c.seq, "integer")},
        ${column((c) => c.nextCheckAt?.toISOString() ?? null, "timestamptz")},
        ${column((c) => c.completedAt?.toISOString() ?? null, "timestamptz")},
        ${column((c) => c.paidNetwork, "text")},
        ${column((c) => c.paidToken, "text")},
        ${column((c) => c.visible, "boolean")}
      ) as c(id, state, reason, late, seq, next_check_at, completed_at, paid_network, paid_token, visible)
    ), before as (
      select l.* from payment_links l join changed c on c.id = l.id
    ), saved as (
      update payment_links l
      set state = c.state, reason = c.reason, late = c.late, seq = c.seq,
        next_check_at = c.next_check_at, completed_at = c.completed_at, paid_network = c.paid_network, paid_token = c.paid_token,
        version = l.version + c.visible::integer, updated_at = ${now.toISOString()}::timestamptz
      from changed c where l.id = c.id
      returning l.*, c.visible
    ), counted as (${insertStateChanges("before", "saved")})
    select pg_notify(${CHANNELS.linkChanges}, concat_ws(':', refid, version, merchant_id, env))
    from saved where visible`);
}

/** Increases the versions of locked links whose state stays, and notifies the web processes as updateLinks does. */
export async function increaseVersions(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    with saved as (
      update payment_links set version = version + 1, updated_at = ${now.toISOString()}::timestamptz
      where id = any(${sqlArray(ids, "bigint")})
      returning refid, version, merchant_id, env
    )
    select pg_notify(${CHANNELS.linkChanges}, concat_ws(':', refid, version, merchant_id, env)) from saved`);
}
