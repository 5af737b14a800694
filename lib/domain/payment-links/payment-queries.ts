import { and, asc, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral, fromDepositNumber } from "#lib/domain/deposit-status.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import type { PaymentAnnouncement } from "#lib/domain/types.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { namedQuery, sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { refundTimes } from "./refund-queries.ts";
import { timeToPayEnd } from "./rules.ts";
import { paymentLinkWallets, payments, quotes } from "./tables.ts";
import type { AstrayPayment, PaymentLinkRow, PaymentPart, PaymentStatus, PaymentTotal } from "./types.ts";

/** Queries run on the pool or join a transaction. */
type Reader = Db | Tx;

/** The status of a deposit that is a payment. */
const toPaymentStatus = (number: number) => fromDepositNumber(number) as PaymentStatus;
const PAYMENT_STATUS = sql`${deposits.status}`.mapWith(toPaymentStatus);

const BELOW_MINIMUM = sql<boolean>`coalesce(${deposits.amount} < ${payments.minimumReceive}, false)`;

/** A deposit is a payment if it arrived at the link's address in the selected token. */
const IS_PAYMENT = and(
  eq(deposits.addressId, paymentLinkWallets.addressId),
  eq(deposits.network, paymentLinkWallets.network),
  eq(deposits.token, paymentLinkWallets.token),
  isNull(deposits.unmatchedReason),
);

const earlyQuotes = alias(quotes, "early_quotes");

const newestPayments = namedQuery("newest_payments", (db) => {
  const nth = sql<number>`row_number() over (
    partition by ${paymentLinkWallets.paymentLinkId} order by ${BELOW_MINIMUM}, ${deposits.id} desc)`;
  const ranked = db
    .select({
      linkId: paymentLinkWallets.paymentLinkId,
      depositId: deposits.id,
      announced: payments.announced,
      reportedLate: sql<boolean>`coalesce(${payments.late}, false)`.as("reported_late"),
      belowMinimum: BELOW_MINIMUM.as("below_minimum"),
      quoteId: payments.quoteId,
      earlyQuoteId: payments.earlyQuoteId,
      nth: nth.as("nth"),
    })
    .from(paymentLinkWallets)
    .innerJoin(deposits, IS_PAYMENT)
    .leftJoin(payments, eq(payments.depositId, deposits.id))
    .where(sql`${paymentLinkWallets.paymentLinkId} = any((select ${sql.placeholder("ids")})::bigint[])`)
    .as("ranked");
  return db
    .select({
      linkId: ranked.linkId,
      depositId: ranked.depositId,
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
      recordedAt: deposits.createdAt,
      confirmedAt: deposits.confirmedAt,
      announced: ranked.announced,
      reportedLate: ranked.reportedLate,
      belowMinimum: ranked.belowMinimum,
      fullAmount: quotes.amount,
      earlyAmount: deposits.earlyAmount,
      earlyFullAmount: earlyQuotes.amount,
      rate: quotes.rate,
      rateSource: quotes.rateSource,
      rateAt: quotes.rateAt,
    })
    .from(ranked)
    .innerJoin(deposits, eq(deposits.id, ranked.depositId))
    .innerJoin(addresses, eq(addresses.id, deposits.addressId))
    .leftJoin(quotes, eq(quotes.id, ranked.quoteId))
    .leftJoin(earlyQuotes, eq(earlyQuotes.id, ranked.earlyQuoteId))
    .where(lte(ranked.nth, sql.placeholder("each")))
    .orderBy(desc(ranked.depositId));
});

/**
 * At most `each` payments of each link, newest first. Payments below their minimum are left out first: a stranger's
 * dust hides no payment of the customer.
 */
export function listNewestPayments(db: Reader, linkIds: readonly number[], each: number) {
  return newestPayments(db, { ids: linkIds, each });
}
export type PaymentRow = Awaited<ReturnType<typeof listNewestPayments>>[number];

const astrayPayments = namedQuery("astray_payments", (db) =>
  db
    .select({
      network: deposits.network,
      token: deposits.token,
      amount: deposits.amount,
      txHash: deposits.txHash,
    })
    .from(paymentLinkWallets)
    .innerJoin(deposits, eq(deposits.addressId, paymentLinkWallets.addressId))
    .where(
      and(
        eq(paymentLinkWallets.paymentLinkId, sql.placeholder("id")),
        inArray(deposits.unmatchedReason, ["other_network", "other_token"]),
        inArray(deposits.status, ["seen", "held"]),
      ),
    )
    .orderBy(asc(deposits.id))
    .limit(sql.placeholder("limit")),
);

/**
 * At most `limit` deposits that wait for the operator because they arrived at the link's address on another network or in
 * another token, the oldest first.
 */
export function listAstrayPayments(db: Reader, linkId: number, limit: number): Promise<AstrayPayment[]> {
  return astrayPayments(db, { id: linkId, limit });
}

/**
 * The place of a part of a payment in the order of valuation. `seenAt`, the time whose price it has, is the database's text.
 */
export interface UnsettledPosition {
  readonly seenAt: string;
  readonly depositId: number;
  readonly early: boolean;
}

/** A part of a payment that waits for a quote. `depositId` and `early` as in its position. */
export interface UnsettledPayment extends UnsettledPosition, PaymentPart {
  readonly linkId: number;
  /** When the transaction itself was first seen. Later than `seenAt` if it replaces another one. */
  readonly observedAt: Date;
  /** True once the payment has a row of its own. */
  readonly recorded: boolean;
}

/**
 * Payments of these links that are not recorded yet, or that wait for a rate, in the order in which they were first
 * seen, after `after`. The early amount of a deposit and the rest are two parts, the early one first. `seenAt` is never
 * before the address was allocated, whatever the block's clock says. A payment that was dropped from the mempool and is back
 * is seen now, or when its block was made: the money was not there meanwhile.
 */
export async function listUnsettledPayments(
  db: Reader,
  linkIds: readonly number[],
  {
    after,
    limit,
    now,
  }: { readonly after: UnsettledPosition | null; readonly limit: number; readonly now: Date },
): Promise<UnsettledPayment[]> {
  interface Row extends Record<string, unknown> {
    link: string;
    deposit: string;
    network: NetworkCode;
    token: TokenCode;
    amount: string;
    status: number;
    seen: string;
    observed: string;
    early: boolean;
    recorded: boolean;
  }
  const at = sql`${now.toISOString()}::timestamptz`;
  const seen = (time: string) => sql`case when d.dropped_from = 'mempool' then least(d.block_time, ${at})
    else greatest(${sql.raw(time)}, w.created_at) end`;
  const isAfter =
    after === null
      ? sql`true`
      : sql`(part.seen, d.id, not part.early) > (${after.seenAt}::timestamptz, ${after.depositId}::bigint, ${!after.early}::boolean)`;
  const { rows } = await db.execute<Row>(sql`
    select w.payment_link_id as link, d.id as deposit, d.network, d.token, part.amount::text as amount, d.status,
      part.seen::text as seen, least(d.created_at, d.block_time)::text as observed, part.early, p.deposit_id is not null as recorded
    from payment_link_wallets w
    join deposits d on d.address_id = w.address_id and d.network = w.network and d.token = w.token
      and d.unmatched_reason is null
    left join payments p on p.deposit_id = d.id
    cross join lateral (values
      (true, d.early_amount, ${seen("d.early_seen_at")}, p.early_quote_id),
      (false, d.amount - d.early_amount, ${seen("d.first_seen_at")}, p.quote_id)
    ) as part(early, amount, seen, quote_id)
    where w.payment_link_id = any(${sqlArray(linkIds, "bigint")}) and part.amount > 0
      and (p.deposit_id is null or (part.quote_id is null and d.status <> ${depositLiteral("dropped")})) and ${isAfter}
    order by part.seen, d.id, not part.early
    limit ${limit}`);
  return rows.map((row) => ({
    linkId: Number(row.link),
    depositId: Number(row.deposit),
    network: row.network,
    token: row.token,
    amount: BigInt(row.amount),
    status: toPaymentStatus(row.status),
    seenAt: row.seen,
    observedAt: new Date(row.observed),
    early: row.early,
    recorded: row.recorded,
  }));
}

/** A total and the link that it belongs to. */
export interface LinkPaymentTotal extends PaymentTotal {
  readonly linkId: number;
}

/**
 * All recorded payments of these links. Payments that every rule treats alike are one total, so that the number of
 * totals does not grow with the number of payments. Early amounts are totals of their own, without a count. The total
 * with the newest payment is first.
 */
export async function listPaymentTotals(
  db: Reader,
  links: readonly Pick<PaymentLinkRow, "id" | "expiresAt">[],
): Promise<LinkPaymentTotal[]> {
  interface Row extends Record<string, unknown> {
    link: string;
    network: NetworkCode;
    token: TokenCode;
    full: string | null;
    status: number;
    announced: PaymentAnnouncement | null;
    late: boolean;
    below: boolean;
    amount: string;
    payments: number;
    newest: string;
    first: string;
    recorded: string;
  }
  const ends = links.map(({ expiresAt }) => timeToPayEnd(expiresAt).toISOString());
  const { rows } = await db.execute<Row>(sql`
    select p.payment_link_id as link, d.network, d.token, part."full"::text as "full", d.status, p.announced, p.late,
      d.amount < p.minimum_receive as below, sum(part.amount)::text as amount, sum(part.payments)::integer as payments,
      max(d.id) as newest, min(d.first_seen_at)::text as "first", max(d.created_at)::text as recorded
    from unnest(${sqlArray(
      links.map(({ id }) => id),
      "bigint",
    )}, ${sqlArray(ends, "timestamptz")}) as l(id, ends_at)
    cross join lateral (select ${refundTimes(sql`l.id`)} as times) refunds
    join payments p on p.payment_link_id = l.id
    join deposits d on d.id = p.deposit_id
    left join quotes q on q.id = p.quote_id
    left join quotes e on e.id = p.early_quote_id
    cross join lateral (values
      (d.amount - d.early_amount, q.amount, 1),
      (d.early_amount, case when q.id is not null then e.amount end, 0)
    ) as part(amount, "full", payments)
    where part.amount > 0
    group by p.payment_link_id, d.network, d.token, part."full", d.status, p.announced, p.late,
      d.amount < p.minimum_receive, d.first_seen_at >= l.ends_at, width_bucket(d.created_at, refunds.times)
    order by max(d.id) desc, sum(part.payments)`);
  return rows.map((row) => ({
    linkId: Number(row.link),
    network: row.network,
    token: row.token,
    fullAmount: row.full === null ? null : BigInt(row.full),
    status: toPaymentStatus(row.status),
    announced: row.announced,
    reportedLate: row.late,
    belowMinimum: row.below,
    amount: BigInt(row.amount),
    payments: row.payments,
    depositId: Number(row.newest),
    firstSeenAt: new Date(row.first),
    recordedAt: new Date(row.recorded),
  }));
}

/** The link of each of these deposits that is a payment below its minimum, by deposit id. */
export async function listLinksOfSmallPayments(
  tx: Tx,
  depositIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (depositIds.length === 0) return new Map();
  const { rows } = await tx.execute<{ deposit: string; link: string }>(sql`
    select p.deposit_id as deposit, p.payment_link_id as link
    from payments p join deposits d on d.id = p.deposit_id
    where p.deposit_id = any(${sqlArray(depositIds, "bigint")}) and d.amount < p.minimum_receive
      and d.unmatched_reason is null`);
  return new Map(rows.map(({ deposit, link }) => [Number(deposit), Number(link)]));
}

/**
 * The transaction hashes of each link's payments, oldest first: at most `each`, the newest, those below their minimum
 * only if there is room. By link id.
 */
export async function listTxHashes(
  tx: Tx,
  linkIds: readonly number[],
  each: number,
): Promise<ReadonlyMap<number, string[]>> {
  const { rows } = await tx.execute<{ link: string; hashes: string[] }>(sql`
    select l.id as link, array(
      select n.tx_hash from (
        select d.tx_hash, d.id from payments p join deposits d on d.id = p.deposit_id
        where p.payment_link_id = l.id order by d.amount < p.minimum_receive, d.id desc limit ${each}
      ) n group by n.tx_hash order by min(n.id)) as hashes
    from unnest(${sqlArray(linkIds, "bigint")}) as l(id)`);
  return new Map(rows.map(({ link, hashes }) => [Number(link), hashes]));
}

/** Sums the credited amounts of a link, per network and token, in ledger units. */
export async function sumCredited(
  db: Reader,
  linkId: number,
): Promise<readonly { readonly network: NetworkCode; readonly token: TokenCode; readonly amount: bigint }[]> {
  const rows = await db
    .select({
      network: deposits.network,
      token: deposits.token,
      amount: sql<string>`sum(${deposits.amount})`,
    })
    .from(payments)
    .innerJoin(deposits, eq(deposits.id, payments.depositId))
    .where(and(eq(payments.paymentLinkId, linkId), eq(deposits.status, "credited")))
    .groupBy(deposits.network, deposits.token);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
