import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type EntryCause, readEntryCause } from "./entry-rules.ts";

/** Whose ledger, and from when (included) until when (excluded). */
export interface StatementPeriod {
  readonly env: Env;
  readonly merchantId: number;
  readonly from: Date;
  readonly to: Date;
}

/** The sum of the changes of a balance for one reason, in ledger units. */
export interface Movement {
  /**
   * Why, by the first word of the transfers' causes: "deposit", "withdrawal", "buy", "operator"; and for the fees that were charged,
   * "withdrawal fee" and "buy fee". A withdrawal that is not sent yet has no fee of its own: it may still return whole.
   */
  readonly kind: string;
  /** A reorg or an end took it back. */
  readonly isReversal: boolean;
  readonly count: number;
  /** Negative if it made the balance smaller. */
  readonly amount: bigint;
}

/** The balance of a token at both ends of a period, and what lies between. In ledger units. */
export interface TokenStatement {
  readonly token: TokenCode;
  readonly opening: bigint;
  readonly movements: readonly Movement[];
  /** The ledger's running balance after the last posting. It is read, not computed from the movements. */
  readonly closing: bigint;
}

/** The postings of one of the merchant's accounts that belong to the period: above `after`, up to `until`. */
interface AccountRange {
  readonly account: number;
  readonly token: TokenCode;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly after: number;
  readonly until: number;
}

/**
 * The ranges of the period, by token. An account's postings have one order, that of their ids, in which the balance runs. A
 * period ends with the last posting by its time, so that each posting is in one period, and opening, movements and closing
 * agree, also if clocks differ by milliseconds.
 */
async function findRanges(
  db: Db,
  { env, merchantId, from, to }: StatementPeriod,
): Promise<readonly AccountRange[]> {
  // As a range of accounts: see listPostings in queries.ts.
  const lastBefore = (at: Date) => sql`(
    select p.id, p.balance_after from ledger_postings p
    where p.account_id >= a.id and (p.account_id, p.created_at) < (a.id, ${at.toISOString()}::timestamptz)
    order by p.account_id desc, p.created_at desc, p.id desc limit 1)`;
  const { rows } = await db.execute<{
    account: string;
    token: TokenCode;
    opening: string;
    closing: string;
    after: string;
    until: string;
  }>(sql`
    select a.id as account, a.token, coalesce(first.balance_after, 0)::text as opening, coalesce(first.id, 0) as after,
      coalesce(last.balance_after, 0)::text as closing, coalesce(last.id, 0) as until
    from ledger_accounts a left join lateral ${lastBefore(from)} first on true
    left join lateral ${lastBefore(to)} last on true
    where a.env = ${env} and a.code = ${`merchant:${merchantId}`}
    order by a.token`);
  return rows.map((row) => ({
    account: Number(row.account),
    token: row.token,
    opening: BigInt(row.opening),
    closing: BigInt(row.closing),
    after: Number(row.after),
    until: Number(row.until),
  }));
}

const inRanges = (ranges: readonly AccountRange[]) => sql`
  from unnest(
    ${sqlArray(
      ranges.map(({ account }) => account),
      "bigint",
    )},
    ${sqlArray(
      ranges.map(({ token }) => token),
      "text",
    )},
    ${sqlArray(
      ranges.map(({ after }) => after),
      "bigint",
    )},
    ${sqlArray(
      ranges.map(({ until }) => until),
      "bigint",
    )}
  ) as a(id, token, after, until)`;

/**
 * SQL: the kind of a movement by its cause. A repayment out of a buy belongs to the buy, as one out of a deposit to the deposit. Regular
 * expressions are slow: few of the causes get to them.
 */
const KIND = sql`case when cause like 'deposit:%' then 'deposit' when cause like 'repayment:%' then split_part(cause, ':', 2)
  when cause like 'buy:%' and cause ~ '^buy:[0-9]+:fee' then 'buy fee' else split_part(cause, ':', 1) end`;

/**
 * SQL: the fees that postings took along. A withdrawal's posting has its amount and its fee in one, and its fee is earned by a transfer of
 * its own. A reservation that was reversed charged nothing. Few of a balance's postings are withdrawals: they are read by themselves, so that the
 * deposits need not be kept.
 */
const chargedIn = (ranges: readonly AccountRange[]) => sql`select a.token, f.amount ${inRanges(ranges)}
  join ledger_postings p on p.account_id = a.id and p.id > a.after and p.id <= a.until and p.amount < 0
  join ledger_transfers t on t.id = p.transfer_id
  join ledger_transfers f on f.cause = regexp_replace(t.cause, ':(reserve|settle)$', ':fee')
  where t.cause like 'withdrawal:%' and t.cause ~ '^withdrawal:[0-9]+:(reserve|settle)$'
    and not exists (select from ledger_transfers r where r.reversal_of = t.id)`;

/** The first and the last transfer of the ranges. Without them PostgreSQL reads the transfers of all time. */
async function findTransfers(
  db: Db,
  ranges: readonly AccountRange[],
): Promise<{ readonly first: number; readonly last: number }> {
  const { rows } = await db.execute<{ first: string | null; last: string | null }>(sql`
    select min(p.transfer_id) as first, max(p.transfer_id) as last ${inRanges(ranges)}
    join ledger_postings p on p.account_id = a.id and p.id > a.after and p.id <= a.until`);
  return { first: Number(rows[0]?.first ?? 0), last: Number(rows[0]?.last ?? 0) };
}

/** The merchant's statement of a period, one part for each token that has a balance or moved. */
export async function getStatement(db: Db, period: StatementPeriod): Promise<readonly TokenStatement[]> {
  const ranges = await findRanges(db, period);
  const { first, last } = await findTransfers(db, ranges);
  const { rows } = await db.execute<{
    token: TokenCode;
    kind: string;
    reversal: boolean;
    count: number;
    amount: string;
  }>(sql`
    with charged as materialized (${chargedIn(ranges)})
    select token, kind, reversal, sum(count)::integer as count, sum(amount)::text as amount from (
      select a.token, ${KIND} as kind, cause like '%:reversal%' as reversal, count(*) as count, sum(p.amount) as amount ${inRanges(ranges)}
      join ledger_postings p on p.account_id = a.id and p.id > a.after and p.id <= a.until
      join ledger_transfers t on t.id = p.transfer_id and t.id between ${first} and ${last}
      group by 1, 2, 3
      union all select token, 'withdrawal', false, 0, amount from charged
      union all select token, 'withdrawal fee', false, 1, -amount from charged
    ) part
    group by 1, 2, 3 order by 1, 2, 3`);
  return ranges
    .map(({ token, opening, closing }) => ({
      token,
      opening,
      closing,
      movements: rows
        .filter((row) => row.token === token)
        .map(({ kind, reversal, count, amount }) => ({
          kind,
          isReversal: reversal,
          count,
          amount: BigInt(amount),
        })),
    }))
    .filter(({ opening, closing, movements }) => opening > 0n || closing > 0n || movements.length > 0);
}

/** True if the opening balance and the movements make the closing balance. */
export function isProved({ opening, movements, closing }: TokenStatement): boolean {
  return movements.reduce((sum, { amount }) => sum + amount, opening) === closing;
}

/** One posting of the merchant, for a file. */
export interface ExportedEntry {
  readonly id: number;
  readonly at: Date;
  readonly token: TokenCode;
  readonly cause: EntryCause;
  /** Ledger units, negative if it made the balance smaller. */
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  /** 10^-8 USD at the market's price when it was posted. null while there is no price, and for what has no value of its own. */
  readonly usd: bigint | null;
  /** Where that price is from, such as "coingecko, kraken". null without a value, and before this was kept. */
  readonly priceSource: string | null;
}

const AT_ONCE = 1_000;

/** The postings of a period, newest first, in parts that are read on demand. A repeated export of an ended period has the same. */
export async function* exportEntries(
  db: Db,
  period: StatementPeriod,
): AsyncGenerator<readonly ExportedEntry[]> {
  const ranges = await findRanges(db, period);
  let before: number | null = Math.max(0, ...ranges.map(({ until }) => until)) + 1;
  while (before !== null) {
    const part: readonly ExportedEntry[] = await listEntries(db, ranges, before);
    if (part.length > 0) yield part;
    before = part.length === AT_ONCE ? (part.at(-1)?.id ?? null) : null;
  }
}

async function listEntries(
  db: Db,
  ranges: readonly AccountRange[],
  before: number,
): Promise<readonly ExportedEntry[]> {
  const { rows } = await db.execute<{
    id: string;
    at: string;
    token: TokenCode;
    cause: string;
    amount: string;
    after: string;
    usd: string | null;
    source: string | null;
  }>(sql`
    select p.id, floor(extract(epoch from p.created_at) * 1000)::text as at, p.token,
      t.cause, p.amount::text as amount, p.balance_after::text as after, v.usd::text as usd, v.price_source as source
    from (
      select p.*, a.token ${inRanges(ranges)}
      cross join lateral (
        select * from ledger_postings p where (p.account_id, p.id) > (a.id, a.after)
          and (p.account_id, p.id) < (a.id, least(a.until + 1, ${before}::bigint))
        order by p.account_id desc, p.id desc limit ${AT_ONCE}) p
      order by p.id desc limit ${AT_ONCE}
    ) p
    join ledger_transfers t on t.id = p.transfer_id
    left join transfer_values v on v.transfer_id = t.id
    order by p.id desc`);
  return rows.map((row) => ({
    id: Number(row.id),
    at: new Date(Number(row.at)),
    token: row.token,
    cause: readEntryCause(row.cause),
    amount: BigInt(row.amount),
    balanceAfter: BigInt(row.after),
    usd: row.usd === null ? null : BigInt(row.usd),
    priceSource: row.source,
  }));
}
