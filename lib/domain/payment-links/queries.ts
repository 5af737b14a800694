import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lte,
  min,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { deposits, watchCursors } from "#lib/domain/deposits/tables.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { LinkState } from "#lib/domain/types.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { namedQuery, sqlArray } from "#lib/platform/db/statements.ts";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { framingOrigins } from "./framing-rules.ts";
import { matchesFilter } from "./link-filter.ts";
import { isPaid } from "./rules.ts";
import { areFew, inAmountRange, SORTED } from "./search/few-links.ts";
import { paymentLinks, paymentLinkWallets } from "./tables.ts";
import type { LinkFilter, LinkRow, PaymentLinkRow } from "./types.ts";

/** Queries run on the pool or join a transaction. */
type Reader = Db | Tx;

const WITHOUT_METADATA = { metadata: sql<string | null>`null`, items: sql<PaymentLinkRow["items"]>`null` };

/** Links with the terms of their merchants. Without metadata: null instead of it and of the items. */
export function linkQuery(db: Reader, withMetadata = true) {
  const { metadata, items } = withMetadata ? paymentLinks : WITHOUT_METADATA;
  return db
    .select({
      link: { ...getTableColumns(paymentLinks), metadata, items },
      merchant: {
        code: merchants.code,
        name: merchants.name,
        latePolicy: merchants.latePolicy,
        toleranceUnderBps: merchants.toleranceUnderBps,
        toleranceUnderMax: merchants.toleranceUnderMax,
        toleranceOverBps: merchants.toleranceOverBps,
        roundStablecoins: merchants.roundStablecoins,
        rateMarkupBps: merchants.rateMarkupBps,
        fixedRates: merchants.fixedRates,
        logo: merchants.logo,
        accent: merchants.accent,
        support: merchants.support,
        paymentPairs: merchants.paymentPairs,
      },
    })
    .from(paymentLinks)
    .innerJoin(merchants, eq(merchants.id, paymentLinks.merchantId))
    .$dynamic();
}

const linkByRefid = namedQuery("link_by_refid", (db) =>
  linkQuery(db).where(eq(paymentLinks.refid, sql.placeholder("refid"))),
);

export async function findLink(
  db: Reader,
  refid: string,
  owner?: { merchantId: number; env: string },
): Promise<LinkRow | null> {
  const [row] = await linkByRefid(db, { refid });
  const isOwners =
    row === undefined ||
    owner === undefined ||
    (row.link.merchantId === owner.merchantId && row.link.env === owner.env);
  return isOwners ? (row ?? null) : null;
}

/** Locks a link until the transaction ends: its payments and refunds wait. */
export async function lockOwnLink(
  tx: Tx,
  refid: string,
  owner: { readonly merchantId: number; readonly env: Env },
): Promise<LinkRow | null> {
  const isOwn = and(eq(paymentLinks.merchantId, owner.merchantId), eq(paymentLinks.env, owner.env));
  const [row] = await linkQuery(tx)
    .where(and(eq(paymentLinks.refid, refid), isOwn))
    .for("update", { of: paymentLinks });
  return row ?? null;
}

/** The place of a link in a list. */
export type LinkPosition = Pick<PaymentLinkRow, "createdAt" | "id">;

/** A part of a list. Without `withMetadata`, which may be 8 KiB for each link, the links have null instead. */
export interface LinkPage {
  readonly before: LinkPosition | null;
  readonly limit: number;
  readonly withMetadata?: boolean;
}

/** Newest first, after the link `before`. */
export async function listLinkRows(
  db: Reader,
  filter: LinkFilter,
  { before, limit, withMetadata = false }: LinkPage,
): Promise<LinkRow[]> {
  const after = (place: SQL) =>
    before === null
      ? sql`true`
      : sql`${place} < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::bigint)`;
  const { merchantId, env, amount, created } = filter;
  const { from, to } = created ?? {};
  const isFew = amount ? await areFew(db, filter, inAmountRange(amount)) : false;
  const sorted =
    amount && isFew
      ? sql`${paymentLinks.id} in (select l.id from ${paymentLinks} l
        where l.merchant_id = ${merchantId} and l.env = ${env} and ${inAmountRange(amount)} and ${after(sql`(l.created_at, l.id)`)}
        ${from ? sql`and l.created_at >= ${from.toISOString()}::timestamptz` : sql``}
        ${to ? sql`and l.created_at < ${to.toISOString()}::timestamptz` : sql``}
        order by ${SORTED} limit ${limit})`
      : undefined;
  return linkQuery(db, withMetadata)
    .where(and(matchesFilter(filter), after(sql`(${paymentLinks.createdAt}, ${paymentLinks.id})`), sorted))
    .orderBy(desc(paymentLinks.createdAt), desc(paymentLinks.id))
    .limit(limit);
}

export async function countPaymentLinks(db: Reader, filter: LinkFilter): Promise<number> {
  return db.$count(paymentLinks, matchesFilter(filter));
}

/** The same, or null if there are more than `most`: a person does not wait until a million are counted. */
export async function countFewLinks(db: Reader, filter: LinkFilter, most: number): Promise<number | null> {
  const found = db
    .select({ one: sql`1` })
    .from(paymentLinks)
    .where(matchesFilter(filter))
    .limit(most + 1);
  const count = await db.$count(found.as("found"));
  return count > most ? null : count;
}

/** The sums of a customer's links. */
export interface CustomerTotals {
  /** Ids of the links, newest first, up to the limit. */
  readonly ids: readonly number[];
  readonly paid: number;
  /** The amounts of paid links, by currency. */
  readonly sums: readonly { readonly currency: CurrencyCode; readonly amount: bigint }[];
}

/** Sums up the newest links of a customer, at most `limit` of them. The e-mail address is in lower case. */
export async function getCustomerTotals(
  db: Reader,
  { merchantId, env }: { readonly merchantId: number; readonly env: Env },
  { email, limit }: { readonly email: string; readonly limit: number },
): Promise<CustomerTotals> {
  const isOfCustomer = { merchantId, env, state: null, paymentReference: null, customerEmail: email };
  const { id, state, currency, amount, createdAt } = paymentLinks;
  const rows = await db
    .select({ id, state, currency, amount })
    .from(paymentLinks)
    .where(matchesFilter(isOfCustomer))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
  const paid = rows.filter((row) => isPaid(row.state));
  const byCurrency = Map.groupBy(paid, (row) => row.currency);
  return {
    ids: rows.map((row) => row.id),
    paid: paid.length,
    sums: [...byCurrency].map(([code, links]) => ({
      currency: code,
      amount: links.reduce((sum, link) => sum + link.amount, 0n),
    })),
  };
}

/** When a form last made a link. null: never. */
export async function findNewestOfForm(db: Reader, formId: number): Promise<Date | null> {
  const [row] = await db
    .select({ at: paymentLinks.createdAt })
    .from(paymentLinks)
    .where(eq(paymentLinks.formId, formId))
    .orderBy(desc(paymentLinks.createdAt))
    .limit(1);
  return row?.at ?? null;
}

export async function listLinkRowsById(
  db: Reader,
  ids: readonly number[],
  withMetadata = true,
): Promise<LinkRow[]> {
  return linkQuery(db, withMetadata).where(sql`${paymentLinks.id} = any(${sqlArray(ids, "bigint")})`);
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

/** The addresses on a network of the links that are evaluated next, until `before`. */
export async function listDueAddresses(
  db: Db,
  { env, network }: { readonly env: Env; readonly network: NetworkCode },
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<{ id: number; address: string }[]> {
  return db
    .select({ id: addresses.id, address: addresses.address })
    .from(paymentLinks)
    .innerJoin(paymentLinkWallets, eq(paymentLinkWallets.paymentLinkId, paymentLinks.id))
    .innerJoin(addresses, eq(addresses.id, paymentLinkWallets.addressId))
    .where(and(lte(paymentLinks.nextCheckAt, before), eq(addresses.env, env), eq(addresses.network, network)))
    .orderBy(asc(paymentLinks.nextCheckAt))
    .limit(limit);
}

/** How many links the sweep has not evaluated in time, and the due time of the oldest. null if there is none. */
export async function countOverdueLinks(
  db: Db,
  now: Date,
): Promise<{ readonly overdue: number; readonly oldest: Date | null }> {
  // Uses the index payment_links_due.
  const [row] = await db
    .select({ overdue: count(), oldest: min(paymentLinks.nextCheckAt) })
    .from(paymentLinks)
    .where(lte(paymentLinks.nextCheckAt, now));
  return { overdue: row?.overdue ?? 0, oldest: row?.oldest ?? null };
}

const OPEN_STATES = ["open", "awaiting", "partial", "detected"] as const satisfies readonly LinkState[];

/** How many links of each environment still wait for a payment. Uses the index payment_links_due. */
export async function countOpenLinks(db: Db): Promise<Readonly<Record<Env, number>>> {
  const rows = await db
    .select({ env: paymentLinks.env, count: count() })
    .from(paymentLinks)
    .where(and(isNotNull(paymentLinks.nextCheckAt), inArray(paymentLinks.state, OPEN_STATES)))
    .groupBy(paymentLinks.env);
  const counts = new Map(rows.map((row) => [row.env, row.count]));
  return { live: counts.get("live") ?? 0, test: counts.get("test") ?? 0 };
}

/** The links that these deposits pay, by ascending id. */
export async function listLinkIdsByDeposit(tx: Tx, depositIds: readonly number[]): Promise<number[]> {
  if (depositIds.length === 0) return [];
  const rows = await tx
    .selectDistinct({ id: paymentLinkWallets.paymentLinkId })
    .from(deposits)
    .innerJoin(paymentLinkWallets, eq(paymentLinkWallets.addressId, deposits.addressId))
    .where(sql`${deposits.id} = any(${sqlArray(depositIds, "bigint")})`)
    .orderBy(asc(paymentLinkWallets.paymentLinkId));
  return rows.map((row) => row.id);
}

/** A payment link by one of its addresses. */
export interface AddressLink {
  readonly merchantId: number;
  /** The token that the link asks for at the address. */
  readonly token: TokenCode;
  readonly refid: string;
  /** Value of the link in USD cents: payments need at least its confirmation tier. null if no rate was known. */
  readonly usdCents: bigint | null;
}

/** The payment links that these addresses are allocated to, by address id. One query. */
export async function listLinksByAddress(
  db: Reader,
  addressIds: readonly number[],
): Promise<ReadonlyMap<number, AddressLink>> {
  if (addressIds.length === 0) return new Map();
  const rows = await db
    .select({
      addressId: paymentLinkWallets.addressId,
      merchantId: paymentLinks.merchantId,
      token: paymentLinkWallets.token,
      refid: paymentLinks.refid,
      usdCents: paymentLinks.usdCents,
    })
    .from(paymentLinkWallets)
    .innerJoin(paymentLinks, eq(paymentLinks.id, paymentLinkWallets.paymentLinkId))
    .where(sql`${paymentLinkWallets.addressId} = any(${sqlArray(addressIds, "bigint")})`);
  return new Map(rows.map(({ addressId, ...link }) => [addressId, link]));
}

const IS_OF_LINKS = sql`${paymentLinkWallets.paymentLinkId} = any((select ${sql.placeholder("ids")})::bigint[])`;

const walletsOfLinks = namedQuery("wallets_of_links", (db) =>
  db
    .select({
      linkId: paymentLinkWallets.paymentLinkId,
      network: paymentLinkWallets.network,
      token: paymentLinkWallets.token,
      createdAt: paymentLinkWallets.createdAt,
      language: paymentLinkWallets.language,
      address: addresses.address,
      passStartedAt: watchCursors.passStartedAt,
      watchError: watchCursors.error,
      mempoolError: watchCursors.mempoolError,
      finalityLate: watchCursors.finalityLate,
    })
    .from(paymentLinkWallets)
    .innerJoin(addresses, eq(addresses.id, paymentLinkWallets.addressId))
    .leftJoin(
      watchCursors,
      and(eq(watchCursors.env, addresses.env), eq(watchCursors.network, paymentLinkWallets.network)),
    )
    .where(IS_OF_LINKS)
    .orderBy(asc(paymentLinkWallets.createdAt), asc(paymentLinkWallets.addressId)),
);

/** The pairs selected for these links in the order of selection, each with the progress of its watcher. */
export function listLinkWallets(db: Reader, linkIds: readonly number[]) {
  return walletsOfLinks(db, { ids: linkIds });
}
export type LinkWalletRow = Awaited<ReturnType<typeof listLinkWallets>>[number];

/** Every page load runs it. Prepared once. */
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

/** Origins that may frame this link's page, without the page's own. null if there is no such link. One query. */
export async function findFramingOrigins(db: Db, refid: string): Promise<readonly string[] | null> {
  const [terms] = await framingTerms(db).execute({ refid });
  return terms === undefined ? null : framingOrigins(terms);
}

/**
 * Counts the links that were paid too little among the merchant's newest `limit` failed links that were created since `since`.
 * The cost does not grow with the number of links.
 */
export async function countUnderpaid(
  db: Db,
  { merchantId, env }: { readonly merchantId: number; readonly env: Env },
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`
    select count(*) filter (where reason = 'underpaid')::integer as n from (
      select reason from payment_links
      where merchant_id = ${merchantId} and env = ${env} and state = 'failed' and created_at >= ${since.toISOString()}
      order by created_at desc, id desc limit ${limit}
    ) as newest`);
  return rows[0]?.n ?? 0;
}

/** The refid of a payment link. Throws if there is none. */
export async function getLinkRefid(db: Reader, id: number): Promise<string> {
  const [row] = await db
    .select({ refid: paymentLinks.refid })
    .from(paymentLinks)
    .where(eq(paymentLinks.id, id));
  if (row === undefined) throw new Error(`payment link ${id} does not exist`);
  return row.refid;
}

/** The language that the merchant asked for on the page of a link. null: none, or there is no such link. */
export async function findLinkLanguage(db: Reader, refid: string): Promise<LanguageCode | null> {
  const { language } = paymentLinks;
  const [row] = await db.select({ language }).from(paymentLinks).where(eq(paymentLinks.refid, refid));
  return row?.language ?? null;
}
