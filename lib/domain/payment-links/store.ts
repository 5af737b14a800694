import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import type { FramingTerms } from "./framing-rules.ts";
import { paymentLinks, paymentLinkWallets, payments, quotes } from "./tables.ts";
import type { PaymentAnnouncement } from "./types.ts";

/** A read may run on the pool or join a transaction. */
type Reader = Db | Tx;

export type QuoteRow = typeof quotes.$inferSelect;
export type NewQuoteRow = typeof quotes.$inferInsert;

const linkColumns = {
  link: paymentLinks,
  merchant: {
    name: merchants.name,
    latePolicy: merchants.latePolicy,
    toleranceUnderBps: merchants.toleranceUnderBps,
    toleranceOverBps: merchants.toleranceOverBps,
    rateMarkupBps: merchants.rateMarkupBps,
    fixedRates: merchants.fixedRates,
    logo: merchants.logo,
    accent: merchants.accent,
    support: merchants.support,
  },
};

function linkQuery(db: Reader) {
  return db
    .select(linkColumns)
    .from(paymentLinks)
    .innerJoin(merchants, eq(merchants.id, paymentLinks.merchantId))
    .$dynamic();
}
/** A link and the terms of its merchant. */
export type LinkRow = Awaited<ReturnType<typeof linkQuery>>[number];

export async function findLink(
  db: Reader,
  refid: string,
  owner?: { merchantId: number; env: string },
): Promise<LinkRow | null> {
  const mine =
    owner && and(eq(paymentLinks.merchantId, owner.merchantId), sql`${paymentLinks.env} = ${owner.env}`);
  const [row] = await linkQuery(db).where(and(eq(paymentLinks.refid, refid), mine));
  return row ?? null;
}

/** Which of an owner's links are listed. */
export interface LinkFilter {
  readonly merchantId: number;
  readonly env: Env;
  /** null: any. */
  readonly state: string | null;
  readonly paymentReference: string | null;
}

function listed({ merchantId, env, state, paymentReference }: LinkFilter) {
  return and(
    eq(paymentLinks.merchantId, merchantId),
    eq(paymentLinks.env, env),
    state === null ? undefined : eq(paymentLinks.state, state),
    paymentReference === null ? undefined : eq(paymentLinks.paymentReference, paymentReference),
  );
}

/** Newest first, below the id `before`. */
export async function listLinkRows(
  db: Reader,
  filter: LinkFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<LinkRow[]> {
  return linkQuery(db)
    .where(and(listed(filter), before === null ? undefined : lt(paymentLinks.id, before)))
    .orderBy(desc(paymentLinks.id))
    .limit(limit);
}

export async function countLinks(db: Reader, filter: LinkFilter): Promise<number> {
  return db.$count(paymentLinks, listed(filter));
}

export async function listLinkRowsById(db: Reader, ids: readonly number[]): Promise<LinkRow[]> {
  return linkQuery(db).where(inArray(paymentLinks.id, [...ids]));
}

/** Locks the links in ascending order: everyone who locks several does, so none wait for each other in a circle. */
export async function lockLinks(tx: Tx, ids: readonly number[]): Promise<LinkRow[]> {
  if (ids.length === 0) return [];
  return linkQuery(tx)
    .where(inArray(paymentLinks.id, [...ids]))
    .orderBy(asc(paymentLinks.id))
    .for("update", { of: paymentLinks });
}

export async function lockLink(tx: Tx, refid: string): Promise<LinkRow | null> {
  const [row] = await linkQuery(tx).where(eq(paymentLinks.refid, refid)).for("update", { of: paymentLinks });
  return row ?? null;
}

/** The link if it is due and nobody else is at it. */
export async function lockDueLink(tx: Tx, id: number, now: Date): Promise<LinkRow | null> {
  const [row] = await linkQuery(tx)
    .where(and(eq(paymentLinks.id, id), lte(paymentLinks.nextCheckAt, now)))
    .for("update", { of: paymentLinks, skipLocked: true });
  return row ?? null;
}

export async function listDueLinkIds(db: Reader, now: Date, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: paymentLinks.id })
    .from(paymentLinks)
    .where(lte(paymentLinks.nextCheckAt, now))
    .orderBy(asc(paymentLinks.nextCheckAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Puts a link off, unless someone settled it meanwhile. */
export async function postponeLink(db: Reader, id: number, now: Date, until: Date): Promise<void> {
  await db
    .update(paymentLinks)
    .set({ nextCheckAt: until })
    .where(and(eq(paymentLinks.id, id), lte(paymentLinks.nextCheckAt, now)));
}

export async function updateUsdCents(tx: Tx, linkId: number, cents: bigint): Promise<void> {
  await tx.update(paymentLinks).set({ usdCents: cents }).where(eq(paymentLinks.id, linkId));
}

export async function updateExpiresAt(tx: Tx, linkId: number, expiresAt: Date): Promise<void> {
  await tx.update(paymentLinks).set({ expiresAt }).where(eq(paymentLinks.id, linkId));
}

export async function listLinkIdsByDeposit(tx: Tx, depositIds: readonly number[]): Promise<number[]> {
  if (depositIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ id: paymentLinkWallets.paymentLinkId })
    .from(deposits)
    .innerJoin(paymentLinkWallets, eq(paymentLinkWallets.addressId, deposits.addressId))
    .where(inArray(deposits.id, [...depositIds]));
  return rows.map((row) => row.id);
}

/** Of a deposit that is a payment: what is held as unmatched (3) never is one. */
const PAYMENT_STATUS = sql<0 | 1 | 2>`${deposits.status}`;

export async function linksOfAddresses(db: Reader, addressIds: readonly number[]) {
  if (addressIds.length === 0) return [];
  return db
    .select({
      addressId: paymentLinkWallets.addressId,
      token: paymentLinkWallets.token,
      refid: paymentLinks.refid,
      usdCents: paymentLinks.usdCents,
    })
    .from(paymentLinkWallets)
    .innerJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(inArray(paymentLinkWallets.addressId, [...addressIds]));
}

/** The networks picked for these links, in the order picked, each with how far its watcher has come. */
export async function listLinkWallets(db: Reader, linkIds: readonly number[]) {
  return db
    .select({
      linkId: paymentLinkWallets.paymentLinkId,
      network: paymentLinkWallets.network,
      token: paymentLinkWallets.token,
      createdAt: paymentLinkWallets.createdAt,
      address: addresses.address,
      passStartedAt: watchCursors.passStartedAt,
      watchError: watchCursors.error,
    })
    .from(paymentLinkWallets)
    .innerJoin(addresses, eq(addresses.id, paymentLinkWallets.addressId))
    .leftJoin(
      watchCursors,
      and(eq(watchCursors.env, addresses.env), eq(watchCursors.network, paymentLinkWallets.network)),
    )
    .where(inArray(paymentLinkWallets.paymentLinkId, [...linkIds]))
    .orderBy(asc(paymentLinkWallets.createdAt), asc(paymentLinkWallets.addressId));
}
export type LinkWalletRow = Awaited<ReturnType<typeof listLinkWallets>>[number];

/** What came to the links' addresses in the picked tokens, newest first; `limit` over all of them together. */
export async function listLinkPayments(db: Reader, linkIds: readonly number[], limit?: number) {
  const query = db
    .select({
      linkId: paymentLinkWallets.paymentLinkId,
      depositId: deposits.id,
      network: deposits.network,
      token: deposits.token,
      address: addresses.address,
      txHash: deposits.txHash,
      position: deposits.position,
      amount: deposits.amount,
      status: PAYMENT_STATUS,
      confirmations: deposits.confirmations,
      requiredConfirmations: deposits.requiredConfirmations,
      firstSeenAt: deposits.firstSeenAt,
      confirmedAt: deposits.confirmedAt,
      recorded: sql<boolean>`${payments.depositId} is not null`,
      announced: payments.announced,
      quoteId: payments.quoteId,
      fullAmount: quotes.amount,
      rate: quotes.rate,
      rateSource: quotes.rateSource,
      rateAt: quotes.rateAt,
    })
    .from(paymentLinkWallets)
    .innerJoin(
      deposits,
      and(
        eq(deposits.addressId, paymentLinkWallets.addressId),
        eq(deposits.network, paymentLinkWallets.network),
        eq(deposits.token, paymentLinkWallets.token),
      ),
    )
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .leftJoin(payments, eq(payments.depositId, deposits.id))
    .leftJoin(quotes, eq(quotes.id, payments.quoteId))
    .where(and(inArray(paymentLinkWallets.paymentLinkId, [...linkIds]), isNull(deposits.unmatchedReason)))
    .orderBy(desc(deposits.id))
    .$dynamic();
  return limit === undefined ? query : query.limit(limit);
}
export type PaymentRow = Awaited<ReturnType<typeof listLinkPayments>>[number];

/** Quotes of these links, newest first, at most so many of each. */
export async function listQuotes(db: Reader, linkIds: readonly number[], each: number): Promise<QuoteRow[]> {
  const nth = sql<number>`row_number() over (partition by ${quotes.paymentLinkId} order by ${quotes.id} desc)`;
  const ranked = db
    .select({ ...getTableColumns(quotes), nth: nth.as("nth") })
    .from(quotes)
    .where(inArray(quotes.paymentLinkId, [...linkIds]))
    .as("ranked");
  return db.select().from(ranked).where(lte(ranked.nth, each)).orderBy(desc(ranked.id));
}

/** Quotes of these links that had not ended by `since`. */
export async function listQuotesValidSince(
  db: Reader,
  linkIds: readonly number[],
  since: Date,
): Promise<QuoteRow[]> {
  return db
    .select()
    .from(quotes)
    .where(and(inArray(quotes.paymentLinkId, [...linkIds]), gte(quotes.validUntil, since)));
}

/** Inserts the quotes; the ids come back in the order of the rows. */
export async function insertQuotes(tx: Tx, rows: readonly NewQuoteRow[]): Promise<QuoteRow[]> {
  return rows.length === 0
    ? []
    : tx
        .insert(quotes)
        .values([...rows])
        .returning();
}

export async function insertLinkWallet(tx: Tx, row: typeof paymentLinkWallets.$inferInsert): Promise<void> {
  await tx.insert(paymentLinkWallets).values(row);
}

/** Locks out other new addresses for the same visitor until the transaction ends, then counts those since `since`. */
export async function lockAndCountVisits(tx: Tx, visitor: Buffer, since: Date): Promise<number> {
  const VISITOR_LOCK = 0x70_6c_76;
  await tx.execute(sql`select pg_advisory_xact_lock(${VISITOR_LOCK}, ${visitor.readInt32BE(0)})`);
  return tx.$count(
    paymentLinkWallets,
    and(eq(paymentLinkWallets.visitor, visitor), gt(paymentLinkWallets.createdAt, since)),
  );
}

/** Forgets who asked for addresses handed out before `before`. */
export async function clearVisitors(db: Reader, before: Date): Promise<void> {
  await db
    .update(paymentLinkWallets)
    .set({ visitor: null })
    .where(and(sql`${paymentLinkWallets.visitor} is not null`, lt(paymentLinkWallets.createdAt, before)));
}

export interface PaymentChange {
  readonly depositId: number;
  readonly paymentLinkId: number;
  readonly quoteId: number | null;
  readonly announced: PaymentAnnouncement | null;
}

export async function upsertPayments(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx
    .insert(payments)
    .values([...changes])
    .onConflictDoUpdate({
      target: payments.depositId,
      set: { quoteId: sql`excluded.quote_id`, announced: sql`excluded.announced` },
    });
}

export interface LinkChange {
  readonly id: number;
  readonly state: string;
  readonly reason: string | null;
  readonly late: boolean;
  readonly seq: number;
  readonly nextCheckAt: Date | null;
  readonly completedAt: Date | null;
  /** A reader can tell the difference: the version grows, and whoever watches is told. */
  readonly visible: boolean;
}

/** Writes all changes and tells the watchers, in one statement; they hear of it at the commit. */
export async function updateLinks(tx: Tx, changes: readonly LinkChange[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const column = <T>(read: (change: LinkChange) => T) => sql.param(changes.map(read));
  await tx.execute(sql`
    with changed as (
      select * from unnest(
        ${column((c) => c.id)}::bigint[],
        ${column((c) => c.state)}::text[],
        ${column((c) => c.reason)}::text[],
        ${column((c) => c.late)}::boolean[],
        ${column((c) => c.seq)}::integer[],
        ${column((c) => c.nextCheckAt?.toISOString() ?? null)}::timestamptz[],
        ${column((c) => c.completedAt?.toISOString() ?? null)}::timestamptz[],
        ${column((c) => c.visible)}::boolean[]
      ) as c(id, state, reason, late, seq, next_check_at, completed_at, visible)
    ), saved as (
      update payment_links l
      set state = c.state, reason = c.reason, late = c.late, seq = c.seq,
        next_check_at = c.next_check_at, completed_at = c.completed_at,
        version = l.version + c.visible::integer, updated_at = ${now.toISOString()}::timestamptz
      from changed c where l.id = c.id
      returning l.refid, l.version, c.visible
    )
    select pg_notify('paylink_links', refid || ':' || version) from saved where visible`);
}

/** Asked with every look at a page: built and planned once. */
const framingTerms = oncePerDatabase((db) =>
  db
    .select({
      successUrl: paymentLinks.successUrl,
      cancelUrl: paymentLinks.cancelUrl,
      allowOrigins: merchants.allowOrigins,
    })
    .from(paymentLinks)
    .innerJoin(merchants, eq(merchants.id, paymentLinks.merchantId))
    .where(eq(paymentLinks.refid, sql.placeholder("refid")))
    .prepare("framing_terms"),
);

export async function readFramingTerms(db: Reader, refid: string): Promise<FramingTerms | null> {
  const [row] = await framingTerms(db).execute({ refid });
  return row ?? null;
}

/** All money of a link, added up by quote: what sums are made of when the list of payments is cut. */
export async function listPaymentTotals(db: Reader, linkId: number): Promise<PaymentTotal[]> {
  const rows = await db
    .select({
      network: deposits.network,
      token: deposits.token,
      fullAmount: quotes.amount,
      status: PAYMENT_STATUS,
      announced: payments.announced,
      amount: sql<string>`sum(${deposits.amount})`,
      depositId: sql<string>`max(${deposits.id})`,
    })
    .from(payments)
    .innerJoin(deposits, eq(deposits.id, payments.depositId))
    .leftJoin(quotes, eq(quotes.id, payments.quoteId))
    .where(eq(payments.paymentLinkId, linkId))
    .groupBy(deposits.network, deposits.token, quotes.id, deposits.status, payments.announced);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), depositId: Number(row.depositId) }));
}
/** Money of a link under one quote (null: not valued yet): one payment, or several added up. */
export type PaymentTotal = Pick<
  PaymentRow,
  "network" | "token" | "amount" | "fullAmount" | "status" | "announced" | "depositId"
>;
