import { and, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type HistoryCursor, mergeHistory } from "./history-rules.ts";
import { ledgerAccounts, ledgerTransfers, transferValues } from "./tables.ts";
import type { AccountCode, HistoryEntry, HistoryFilter, HistoryStatus, LedgerAccount } from "./types.ts";

/** Every account of an environment with its balance in ledger units, or only the accounts of one merchant. */
export async function listLedgerAccounts(
  db: Db | Tx,
  env: Env,
  merchantId?: number,
): Promise<LedgerAccount[]> {
  const { rows } = await db.execute<{
    id: string;
    env: Env;
    token: TokenCode;
    code: AccountCode;
    balance: string;
  }>(sql`
    select id, env, token, code, balance::text as balance from ledger_accounts
    where env = ${env} and (${merchantId ?? null}::bigint is null or merchant_id = ${merchantId ?? null})
    order by code, token`);
  return rows.map((row) => ({ ...row, id: Number(row.id), balance: BigInt(row.balance) }));
}

export interface MerchantBalances {
  /** Ledger units that the merchant can spend. A token without any posting is absent. */
  readonly units: ReadonlyMap<TokenCode, bigint>;
  /** The time of the latest change. Null if no balance ever changed. */
  readonly updatedAt: Date | null;
}

const merchantAccounts = oncePerDatabase((db) =>
  db
    .select({
      token: ledgerAccounts.token,
      balance: ledgerAccounts.balance,
      updatedAt: ledgerAccounts.updatedAt,
    })
    .from(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.env, sql.placeholder("env")),
        eq(ledgerAccounts.code, sql.placeholder("code")),
        // Leaves out accounts without postings: a refused buy can create one.
        or(ne(ledgerAccounts.balance, 0n), ne(ledgerAccounts.updatedAt, ledgerAccounts.createdAt)),
      ),
    )
    .prepare("merchant_balances"),
);

/** Returns the amounts that a merchant can spend, by token. */
export async function getMerchantBalances(db: Db, env: Env, merchantId: number): Promise<MerchantBalances> {
  const rows = await merchantAccounts(db).execute({ env, code: `merchant:${merchantId}` });
  const times = rows.map(({ updatedAt }) => updatedAt.getTime());
  return {
    units: new Map(rows.map(({ token, balance }) => [token, balance])),
    updatedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

/**
 * A merchant's total credits and debits in 10^-8 USD, at the prices of their days. The totals are stored, so the cost
 * does not grow with the number of transfers.
 */
export async function getStatistics(
  db: Db,
  env: Env,
  merchantId: number,
): Promise<{ readonly credit: bigint; readonly debit: bigint }> {
  const { rows } = await db.execute<{ credit: string; debit: string }>(sql`
    select credit::text as credit, debit::text as debit from merchant_totals
    where env = ${env} and merchant_id = ${merchantId}`);
  const [row] = rows;
  return { credit: BigInt(row?.credit ?? 0), debit: BigInt(row?.debit ?? 0) };
}

/**
 * A page of a merchant's history, newest first, starting at `before`: the postings on its accounts and its refused
 * attempts.
 */
export async function listHistory(
  db: Db,
  filter: HistoryFilter,
  { before, limit }: { readonly before: HistoryCursor | null; readonly limit: number },
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: HistoryCursor | null }> {
  const [postings, refusals] = await Promise.all([
    filter.status === "refused" ? [] : listPostings(db, filter, before?.posting ?? null, limit + 1),
    filter.status === "executed" ? [] : listRefusedAttempts(db, filter, before?.refusal ?? null, limit + 1),
  ]);
  return mergeHistory(postings, refusals, limit);
}

/** The number of history entries that match the filter. */
export async function countHistory(db: Db, filter: HistoryFilter): Promise<number> {
  const postings = sql`(select count(*) from ledger_accounts a join ledger_postings p on p.account_id = a.id
    where ${accountConditions(filter)} ${postingConditions(filter)})`;
  const refusals = sql`(select count(*) from refused_attempts where ${refusalConditions(filter)})`;
  const { rows } = await db.execute<{ total: string }>(sql`
    select ${filter.status === "refused" ? sql`0` : postings} + ${filter.status === "executed" ? sql`0` : refusals} as total`);
  return Number(rows[0]?.total);
}

interface EntryRow extends Record<string, unknown> {
  id: string;
  token: TokenCode;
  direction: "credit" | "debit";
  amount: string;
  before: string;
  after: string;
  at: string;
  cause: string | null;
}

function toHistoryEntry(status: HistoryStatus, row: EntryRow): HistoryEntry {
  return {
    id: Number(row.id),
    status,
    direction: row.direction,
    token: row.token,
    amount: BigInt(row.amount),
    balanceBefore: BigInt(row.before),
    balanceAfter: BigInt(row.after),
    cause: row.cause,
    createdAt: new Date(Number(row.at)),
  };
}

const milliseconds = (column: SQL) => sql`floor(extract(epoch from ${column}) * 1000)::text`;

const MAX_BIGINT = "9223372036854775807";

/**
 * A posting of an account has a higher id than one that is older by more than this. Its id is assigned under the account's
 * lock. Its time is from before its transaction waited for the lock, by the clock of its process.
 */
const DISORDER = "15 minutes";

/**
 * The newest postings with lower ids than `before`. Each of the merchant's accounts (one per token) gives its newest
 * postings through its index. The newest of those are returned. The rows of one account are requested as a range: with
 * `account_id = …` PostgreSQL can scan the postings of all merchants, which takes seconds for an account with few rows.
 * Each direction has an index. A lower bound of time becomes one of ids, so that no page reads an account's whole history.
 */
async function listPostings(
  db: Db,
  filter: HistoryFilter,
  before: number | null,
  limit: number,
): Promise<HistoryEntry[]> {
  const { since } = filter;
  const below = sql`(p.account_id, p.id) < (a.id, ${before ?? MAX_BIGINT}::bigint)`;
  const oldest =
    since === null
      ? sql`0`
      : sql`coalesce((select o.id from ledger_postings o
          where o.account_id >= a.id and (o.account_id, o.created_at) < (a.id, ${since}::timestamptz - interval '${sql.raw(DISORDER)}')
          order by o.account_id desc, o.created_at desc limit 1), 0)`;
  const { rows } = await db.execute<EntryRow>(sql`
    select p.id, p.token, case when p.amount > 0 then 'credit' else 'debit' end as direction,
      abs(p.amount)::text as amount, p.balance_before::text as before, p.balance_after::text as after,
      ${milliseconds(sql`p.created_at`)} as at, t.cause
    from (
      select p.*, a.token
      from ledger_accounts a cross join lateral (select ${oldest} as id) oldest cross join lateral (
        select * from ledger_postings p where (p.account_id, p.id) >= (a.id, oldest.id) and ${below} ${postingConditions(filter)}
        order by p.account_id desc, p.id desc limit ${limit}) p
      where ${accountConditions(filter)}
      order by p.id desc limit ${limit}
    ) p left join ledger_transfers t on t.id = p.transfer_id
    order by p.id desc`);
  return rows.map((row) => toHistoryEntry("executed", row));
}

/** The newest refused attempts with lower ids than `before`. */
async function listRefusedAttempts(
  db: Db,
  filter: HistoryFilter,
  before: number | null,
  limit: number,
): Promise<HistoryEntry[]> {
  const below = before === null ? sql`` : sql`and id < ${before}`;
  const { rows } = await db.execute<EntryRow>(sql`
    select id, token, direction, amount::text as amount, balance::text as before, balance::text as after,
      ${milliseconds(sql`created_at`)} as at, null as cause
    from refused_attempts where ${refusalConditions(filter)} ${below}
    order by id desc limit ${limit}`);
  return rows.map((row) => toHistoryEntry("refused", row));
}

function accountConditions({ env, merchantId, token }: HistoryFilter): SQL {
  const ofToken = token === null ? sql`` : sql`and a.token = ${token}`;
  return sql`a.env = ${env} and a.code = ${`merchant:${merchantId}`} ${ofToken}`;
}

function postingConditions({ direction, since }: HistoryFilter): SQL {
  const sign = { credit: sql`and p.amount > 0`, debit: sql`and p.amount < 0` };
  // Not as a plain column: PostgreSQL would read all of the time by its index, and sort it.
  const from = since === null ? sql`` : sql`and p.created_at + interval '0' >= ${since}::timestamptz`;
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

/** The value of a transfer when it was posted. */
export interface TransferValue {
  /** 10^-8 USD. null while there is no price. */
  readonly usd: bigint | null;
  readonly priceSource: string | null;
}

/** The values of the transfers with these causes, by cause. Transfers without a value of their own are absent. */
export async function listTransferValues(
  db: Db,
  causes: readonly string[],
): Promise<ReadonlyMap<string, TransferValue>> {
  if (causes.length === 0) return new Map();
  const { cause } = ledgerTransfers;
  const { usd, priceSource } = transferValues;
  const rows = await db
    .select({ cause, usd, priceSource })
    .from(ledgerTransfers)
    .innerJoin(transferValues, eq(transferValues.transferId, ledgerTransfers.id))
    .where(inArray(cause, [...causes]));
  return new Map(rows.map(({ cause: of, ...value }) => [of, value]));
}
