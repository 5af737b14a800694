import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { HistoryEntry, HistoryFilter, RefusedAttempt } from "./types.ts";

/** Of each merchant and environment. */
const REFUSALS_KEPT = 1_000;

/** Inserts one and forgets those past the newest thousand. */
export async function insertRefusedAttempt(db: Db | Tx, attempt: RefusedAttempt, now: Date): Promise<void> {
  const { env, merchantId, token, direction, amount, balance, reason } = attempt;
  await db.execute(sql`
    with added as (
      insert into refused_attempts (env, merchant_id, token, direction, amount, balance, reason, created_at)
      values (${env}, ${merchantId}, ${token}, ${direction}, ${amount.toString()}::numeric,
        ${balance.toString()}::numeric, ${reason}, ${now}::timestamptz))
    delete from refused_attempts where merchant_id = ${merchantId} and env = ${env} and id <= (
      select id from refused_attempts where merchant_id = ${merchantId} and env = ${env}
      order by id desc offset ${REFUSALS_KEPT - 1} limit 1)`);
}

interface EntryRow extends Record<string, unknown> {
  id: string;
  token: TokenCode;
  direction: "credit" | "debit";
  amount: string;
  before: string;
  after: string;
  at: string;
}

const toEntry =
  (status: 0 | 1) =>
  ({ id, token, direction, amount, before, after, at }: EntryRow): HistoryEntry => ({
    ...{ id: Number(id), status, direction, token, createdAt: new Date(Number(at)) },
    ...{ amount: BigInt(amount), balanceBefore: BigInt(before), balanceAfter: BigInt(after) },
  });

const milliseconds = (column: SQL) => sql`floor(extract(epoch from ${column}) * 1000)::text`;

const NO_BOUND = "9223372036854775807";

/**
 * The newest postings below an id: each of the merchant's accounts (one per token) gives its newest by its index, and
 * the newest of those are taken. The rows of one account are asked for as a range: with `account_id = …` PostgreSQL
 * may walk every merchant's postings from the newest on, which takes seconds for an account that has few.
 */
export async function listPostings(
  db: Db,
  filter: HistoryFilter,
  before: number | null,
  limit: number,
): Promise<HistoryEntry[]> {
  const below = sql`(p.account_id, p.id) < (a.id, ${before ?? NO_BOUND}::bigint)`;
  const { rows } = await db.execute<EntryRow>(sql`
    select p.id, a.token, case when p.amount > 0 then 'credit' else 'debit' end as direction,
      abs(p.amount)::text as amount, p.balance_before::text as before, p.balance_after::text as after,
      ${milliseconds(sql`p.created_at`)} as at
    from ledger_accounts a cross join lateral (
      select * from ledger_postings p where p.account_id >= a.id and ${below} ${postingConditions(filter)}
      order by p.account_id desc, p.id desc limit ${limit}) p
    where ${accountsOf(filter)}
    order by p.id desc limit ${limit}`);
  return rows.map(toEntry(1));
}

/** The newest refusals below an id. */
export async function listRefusedAttempts(
  db: Db,
  filter: HistoryFilter,
  before: number | null,
  limit: number,
): Promise<HistoryEntry[]> {
  const below = before === null ? sql`` : sql`and id < ${before}`;
  const { rows } = await db.execute<EntryRow>(sql`
    select id, token, direction, amount::text as amount, balance::text as before, balance::text as after,
      ${milliseconds(sql`created_at`)} as at
    from refused_attempts where ${refusalConditions(filter)} ${below}
    order by id desc limit ${limit}`);
  return rows.map(toEntry(0));
}

export async function countHistory(db: Db, filter: HistoryFilter): Promise<number> {
  const postings = sql`(select count(*) from ledger_accounts a join ledger_postings p on p.account_id = a.id
    where ${accountsOf(filter)} ${postingConditions(filter)})`;
  const refusals = sql`(select count(*) from refused_attempts where ${refusalConditions(filter)})`;
  const { rows } = await db.execute<{ total: string }>(sql`
    select ${filter.status === 0 ? sql`0` : postings} + ${filter.status === 1 ? sql`0` : refusals} as total`);
  return Number(rows[0]?.total);
}

function accountsOf({ env, merchantId, token }: HistoryFilter): SQL {
  const one = token === null ? sql`` : sql`and a.token = ${token}`;
  return sql`a.env = ${env} and a.code = ${`merchant:${merchantId}`} ${one}`;
}

function postingConditions({ direction, since }: HistoryFilter): SQL {
  const sign = { credit: sql`and p.amount > 0`, debit: sql`and p.amount < 0` };
  const from = since === null ? sql`` : sql`and p.created_at >= ${since}::timestamptz`;
  return sql`${direction === null ? sql`` : sign[direction]} ${from}`;
}

function refusalConditions({ env, merchantId, token, direction, since }: HistoryFilter): SQL {
  const conditions = [
    sql`merchant_id = ${merchantId} and env = ${env}`,
    ...(token === null ? [] : [sql`token = ${token}`]),
    ...(direction === null ? [] : [sql`direction = ${direction}`]),
    ...(since === null ? [] : [sql`created_at >= ${since}::timestamptz`]),
  ];
  return sql.join(conditions, sql` and `);
}
