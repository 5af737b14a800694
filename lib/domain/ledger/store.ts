import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { arrayParameter, namedStatement, sqlArray } from "#lib/platform/db/statements.ts";
import { accountName, type JournalEntry, parseMerchantId } from "./rules.ts";
import type {
  AccountCode,
  LedgerAccount,
  LedgerAccountRef,
  NewLedgerTransfer,
  NewTransferValue,
  PlacedBuy,
  PostedLedgerTransfer,
} from "./types.ts";
import { addToTotals } from "./value-store.ts";

/** The parameters of REFS: one array for each part of the account references. */
const refParameters = (refs: readonly LedgerAccountRef[]) => ({
  envs: refs.map(({ env }) => env),
  tokens: refs.map(({ token }) => token),
  codes: refs.map(({ code }) => code),
});
const REFS = sql`unnest(${arrayParameter("envs", "text")}, ${arrayParameter("tokens", "text")},
  ${arrayParameter("codes", "text")})`;

const accountInsert = namedStatement(
  "create_ledger_accounts",
  sql`
    insert into ledger_accounts (env, token, code, merchant_id, created_at, updated_at)
    select k.env, k.token, k.code, m.id, ${sql.placeholder("now")}::timestamptz, ${sql.placeholder("now")}::timestamptz
    from (select env, token, code, n from ${REFS} with ordinality as u(env, token, code, n)) k
    join unnest(${arrayParameter("merchants", "bigint")}) with ordinality as m(id, n) using (n)
    order by k.env, k.token, k.code
    on conflict (env, code, token) do nothing`,
);

interface AccountRow extends Record<string, unknown> {
  id: string;
  env: LedgerAccount["env"];
  token: LedgerAccount["token"];
  code: AccountCode;
  balance: string;
}

const isAsked = sql`(a.env, a.code, a.token) in (select k.env, k.code, k.token from ${REFS} as k(env, token, code))`;
const accountSelect = (rest: SQL) => sql`
  select a.id, a.env, a.token, a.code, a.balance::text as balance from ledger_accounts a
  where ${isAsked} ${rest}`;
const accountRead = namedStatement<AccountRow>("ledger_accounts", accountSelect(sql`order by a.id`));
// The accounts are counted before the first is locked.
const lockedAccounts = accountSelect(sql`
  and (select count(*) from ledger_accounts a where ${isAsked}) = (select ${sql.placeholder("count")}::bigint)
  order by a.id for update of a`);
const accountLock = namedStatement<AccountRow>("lock_ledger_accounts", lockedAccounts);

/** A locked account, or the id of a buy. */
type BuyAccountRow = AccountRow & { buy: string | null };
const buyAccountLock = namedStatement<BuyAccountRow>(
  "lock_buy_accounts",
  sql`
    with locked as materialized (${lockedAccounts})
    select id, env, token, code, balance, null::bigint as buy from locked
    union all
    select null, null, null, null, null, nextval('buys_id_seq')
    from generate_series(1, (select ${sql.placeholder("buys")}::integer))`,
);

/** Creates the accounts that are missing. Always in the same order, so that concurrent inserts do not deadlock. */
export async function insertMissingAccounts(
  tx: Tx,
  refs: readonly LedgerAccountRef[],
  now: Date,
): Promise<void> {
  const existing = new Set((await accountRead(tx, refParameters(refs))).map(accountName));
  const missing = refs.filter((ref) => !existing.has(accountName(ref)));
  if (missing.length === 0) return;
  const merchants = missing.map(({ code }) => parseMerchantId(code));
  await accountInsert(tx, { ...refParameters(missing), merchants, now });
}

/**
 * Locks distinct accounts by ascending id until the transaction ends. If one of them does not exist, none is locked: two transactions that lock
 * some and then create others could deadlock.
 */
export async function lockAccounts(
  tx: Tx,
  refs: readonly LedgerAccountRef[],
): Promise<LedgerAccount[] | null> {
  return toAccounts(await accountLock(tx, lockParameters(refs)), refs);
}

/**
 * The same for the accounts of `buys` buys. Reserves ids for them, too: the causes of their transfers contain the ids, so they are needed
 * before the insert.
 */
export async function lockBuyAccounts(
  tx: Tx,
  refs: readonly LedgerAccountRef[],
  buys: number,
): Promise<{ readonly accounts: LedgerAccount[]; readonly buyIds: readonly number[] } | null> {
  const rows = await buyAccountLock(tx, { ...lockParameters(refs), buys });
  const locked = rows.filter(({ buy }) => buy === null);
  const accounts = toAccounts(locked, refs);
  const buyIds = rows.flatMap(({ buy }) => (buy === null ? [] : [Number(buy)]));
  if (buyIds.length !== buys) throw new Error(`${buyIds.length} ids for ${buys} buys`);
  return accounts && { accounts, buyIds };
}

const lockParameters = (refs: readonly LedgerAccountRef[]) => ({
  ...refParameters(refs),
  count: refs.length,
});

/** The accounts of these rows. Null if one is missing. */
function toAccounts(rows: readonly AccountRow[], refs: readonly LedgerAccountRef[]): LedgerAccount[] | null {
  if (rows.length < refs.length) return null;
  return rows.map(({ id, env, token, code, balance }) => {
    return { id: Number(id), env, token, code, balance: BigInt(balance) };
  });
}

/** The balance of an account in ledger units. Zero if the account does not exist. */
export async function getBalance(db: Db | Tx, ref: LedgerAccountRef): Promise<bigint> {
  const [account] = await accountRead(db, refParameters([ref]));
  return BigInt(account?.balance ?? 0);
}

/** The causes among these that have been posted. */
export async function listPostedCauses(tx: Tx, causes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ cause: string }>(
    sql`select cause from ledger_transfers where cause = any(${sqlArray(causes, "text")})`,
  );
  return new Set(rows.map(({ cause }) => cause));
}

/** The transfers with these causes that are not reversed, oldest first. */
export async function listUnreversedTransfers(
  tx: Tx,
  causes: readonly string[],
): Promise<PostedLedgerTransfer[]> {
  type Row = { id: string; cause: string; amount: string; from: AccountCode; to: AccountCode };
  const { rows } = await tx.execute<Row & Pick<NewLedgerTransfer, "env" | "token">>(sql`
    select t.id, t.env, t.token, t.cause, t.amount::text as amount, f.code as "from", g.code as "to"
    from ledger_transfers t
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where t.cause = any(${sqlArray(causes, "text")})
      and not exists (select 1 from ledger_transfers r where r.reversal_of = t.id)
    order by t.id`);
  return rows.map((row) => ({ ...row, id: Number(row.id), amount: BigInt(row.amount) }));
}

const now = sql`${sql.placeholder("now")}::timestamptz`;

/** Columns travel as arrays: one statement for any number of rows. */
const journalInsert = <Row extends Record<string, unknown>>(name: string, rest: SQL) =>
  namedStatement<Row>(
    name,
    sql`
    with posted as (
      insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause, reversal_of, created_at)
      select env, token, from_id, to_id, amount, cause, reversal_of, ${now}
      from unnest(${arrayParameter("envs", "text")}, ${arrayParameter("tokens", "text")}, ${arrayParameter("from", "bigint")},
        ${arrayParameter("to", "bigint")}, ${arrayParameter("amounts", "numeric")}, ${arrayParameter("causes", "text")},
        ${arrayParameter("reversals", "bigint")}
      ) with ordinality as u(env, token, from_id, to_id, amount, cause, reversal_of, n)
      order by n
      returning id, cause),
    postings as (
      insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
      select posted.id, account_id, amount, before, after, ${now}
      from unnest(${arrayParameter("postingCauses", "text")}, ${arrayParameter("postingAccounts", "bigint")},
        ${arrayParameter("postingAmounts", "numeric")}, ${arrayParameter("befores", "numeric")},
        ${arrayParameter("afters", "numeric")}
      ) with ordinality as u(cause, account_id, amount, before, after, n)
      join posted using (cause)
      order by n),
    balanced as (
      update ledger_accounts a set balance = v.balance, updated_at = ${now}
      from unnest(${arrayParameter("accounts", "bigint")}, ${arrayParameter("balances", "numeric")}) as v(id, balance)
      where a.id = v.id),
    changed as (
      insert into transfer_values (transfer_id, env, merchant_id, direction, usd, price_source, created_at)
      select posted.id, env, merchant_id, direction, usd, source, ${now}
      from unnest(${arrayParameter("valueCauses", "text")}, ${arrayParameter("valueEnvs", "text")},
        ${arrayParameter("merchants", "bigint")}, ${arrayParameter("directions", "text")}, ${arrayParameter("usd", "numeric")},
        ${arrayParameter("sources", "text")}
      ) as u(cause, env, merchant_id, direction, usd, source)
      join posted using (cause)
      returning env, merchant_id, direction, usd),
    counted as (${addToTotals(now)})
    ${rest}`,
  );
const entriesInsert = journalInsert<{ id: string; cause: string }>(
  "write_ledger_entries",
  sql`select id, cause from posted`,
);
const buysInsert = journalInsert<{ transfers: string }>(
  "write_buys",
  sql`, bought as (
      insert into buys (id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at, created_at)
      overriding system value
      select id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at, ${now}
      from jsonb_to_recordset(${sql.placeholder("buys")}::jsonb) as r(id bigint, env text, merchant_id bigint, token text,
        amount numeric, cost numeric, fee numeric, price text, price_source text, price_at timestamptz))
    select count(*) as transfers from posted`,
);

/** The values and the time of the entries. */
interface JournalDetails {
  readonly values: readonly NewTransferValue[];
  readonly now: Date;
}

/**
 * Writes transfers, their postings in the given order, the new balances and the values of the transfers, in one statement. `reverses` maps a
 * cause to the id of the transfer that it reverses. Returns the ids by their causes.
 */
export async function insertJournalEntries(
  tx: Tx,
  entries: readonly JournalEntry[],
  { reverses, ...details }: JournalDetails & { readonly reverses: ReadonlyMap<string, number> },
): Promise<ReadonlyMap<string, number>> {
  if (entries.length === 0) return new Map();
  const rows = await entriesInsert(tx, journalParameters(entries, details, reverses));
  return new Map(rows.map(({ id, cause }) => [cause, Number(id)]));
}

/** The same for the transfers of buys, and writes the buys. Throws if it wrote another number of transfers. */
export async function insertBuys(
  tx: Tx,
  entries: readonly JournalEntry[],
  { buys, ...details }: JournalDetails & { readonly buys: readonly PlacedBuy[] },
): Promise<void> {
  if (entries.length < buys.length) throw new Error("a buy has no transfers");
  if (entries.length === 0) return;
  const parameters = journalParameters(entries, details, new Map());
  const [row] = await buysInsert(tx, { ...parameters, buys: JSON.stringify(buys.map(buyRow)) });
  if (Number(row?.transfers) !== entries.length)
    throw new Error(`${row?.transfers} of ${entries.length} transfers of buys were written`);
}

function journalParameters(
  entries: readonly JournalEntry[],
  { values, now }: JournalDetails,
  reverses: ReadonlyMap<string, number>,
) {
  const transfers = entries.map(({ transfer, postings: [from, to] }) => ({ ...transfer, from, to }));
  const postings = entries.flatMap((entry) =>
    entry.postings.map((posting) => ({ ...posting, cause: entry.transfer.cause })),
  );
  const balances = new Map(postings.map(({ accountId, balanceAfter }) => [accountId, balanceAfter]));
  return {
    now,
    envs: transfers.map(({ env }) => env),
    tokens: transfers.map(({ token }) => token),
    from: transfers.map(({ from }) => from.accountId),
    to: transfers.map(({ to }) => to.accountId),
    amounts: transfers.map(({ amount }) => amount),
    causes: transfers.map(({ cause }) => cause),
    reversals: transfers.map(({ cause }) => reverses.get(cause) ?? null),
    postingCauses: postings.map(({ cause }) => cause),
    postingAccounts: postings.map(({ accountId }) => accountId),
    postingAmounts: postings.map(({ amount }) => amount),
    befores: postings.map(({ balanceBefore }) => balanceBefore),
    afters: postings.map(({ balanceAfter }) => balanceAfter),
    accounts: [...balances.keys()],
    balances: [...balances.values()],
    valueCauses: values.map(({ cause }) => cause),
    valueEnvs: values.map(({ env }) => env),
    merchants: values.map(({ merchantId }) => merchantId),
    directions: values.map(({ direction }) => direction),
    usd: values.map(({ usd }) => usd),
    sources: values.map(({ priceSource }) => priceSource),
  };
}

/** The columns of a buy as JSON. Amounts are texts. */
const buyRow = ({ id, env, merchantId, token, amount, cost, fee, rate }: PlacedBuy) => ({
  id,
  env,
  merchant_id: merchantId,
  token,
  amount: amount.toString(),
  cost: cost.toString(),
  fee: fee.toString(),
  price: rate.price,
  price_source: rate.source,
  price_at: rate.at,
});
