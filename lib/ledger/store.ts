import { and, eq, ne, or, sql } from "drizzle-orm";
import { type Db, oncePerDatabase, type Tx } from "#lib/db/connection.ts";
import { ledgerAccounts } from "#lib/db/schema.ts";
import { accountName, type Entry, merchantOf, type Side } from "./rules.ts";
import type { Account, AccountCode, AccountKey, NewTransfer, PostedTransfer } from "./types.ts";

/** Everything is one statement for any number of rows: columns travel as arrays. */
const column = (values: readonly unknown[], type: string) =>
  sql`${sql.param(values.map((value) => (typeof value === "bigint" ? value.toString() : value)))}::${sql.raw(type)}[]`;

const keysOf = (keys: readonly AccountKey[]) => sql`
  unnest(${column(
    keys.map(({ env }) => env),
    "text",
  )}, ${column(
    keys.map(({ token }) => token),
    "text",
  )}, ${column(
    keys.map(({ code }) => code),
    "text",
  )})`;

/** Makes the accounts that are missing. In one order everywhere, so that two makers wait instead of deadlocking. */
export async function createAccounts(tx: Tx, keys: readonly AccountKey[], now: Date): Promise<void> {
  const existing = await selectAccounts(tx, keys);
  const known = new Set(existing.map(accountName));
  const missing = keys.filter((key) => !known.has(accountName(key)));
  if (missing.length === 0) return;
  const merchants = missing.map(({ code }) => merchantOf(code));
  await tx.execute(sql`
    insert into ledger_accounts (env, token, code, merchant_id, created_at, updated_at)
    select k.env, k.token, k.code, m.id, ${now}::timestamptz, ${now}::timestamptz
    from (select env, token, code, n from ${keysOf(missing)} with ordinality as u(env, token, code, n)) k
    join unnest(${column(merchants, "bigint")}) with ordinality as m(id, n) using (n)
    order by k.env, k.token, k.code
    on conflict (env, code, token) do nothing`);
}

interface AccountRow extends Record<string, unknown> {
  id: string;
  env: Account["env"];
  token: Account["token"];
  code: AccountCode;
  balance: string;
}

const toAccount = ({ id, balance, env, token, code }: AccountRow): Account => ({
  id: Number(id),
  balance: BigInt(balance),
  env,
  token,
  code,
});

async function selectAccounts(db: Db | Tx, keys: readonly AccountKey[], lock = sql``): Promise<Account[]> {
  const { rows } = await db.execute<AccountRow>(sql`
    select a.id, a.env, a.token, a.code, a.balance::text as balance from ledger_accounts a
    where (a.env, a.code, a.token) in (select k.env, k.code, k.token from ${keysOf(keys)} as k(env, token, code))
    order by a.id ${lock}`);
  return rows.map(toAccount);
}

/** The existing ones among these accounts, locked by ascending id until the transaction ends. */
export function lockAccounts(tx: Tx, keys: readonly AccountKey[]): Promise<Account[]> {
  return selectAccounts(tx, keys, sql`for update of a`);
}

/** Which of these causes have been posted. */
export async function postedCauses(tx: Tx, causes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ cause: string }>(
    sql`select cause from ledger_transfers where cause = any(${column(causes, "text")})`,
  );
  return new Set(rows.map(({ cause }) => cause));
}

/** The transfers with these causes that stand unreversed, oldest first. */
export async function liveTransfers(tx: Tx, causes: readonly string[]): Promise<PostedTransfer[]> {
  type Row = { id: string; cause: string; amount: string; from: AccountCode; to: AccountCode };
  const { rows } = await tx.execute<Row & Pick<NewTransfer, "env" | "token">>(sql`
    select t.id, t.env, t.token, t.cause, t.amount::text as amount, f.code as "from", g.code as "to"
    from ledger_transfers t
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where t.cause = any(${column(causes, "text")})
      and not exists (select 1 from ledger_transfers r where r.reversal_of = t.id)
    order by t.id`);
  return rows.map((row) => ({ ...row, id: Number(row.id), amount: BigInt(row.amount) }));
}

/**
 * Writes transfers, both sides of each in the order given, and the new balances, in one statement. `reverses` maps a
 * cause to the transfer it takes back. Returns the ids by their causes.
 */
export async function writeEntries(
  tx: Tx,
  entries: readonly Entry[],
  reverses: ReadonlyMap<string, number>,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  if (entries.length === 0) return new Map();
  const transfers = entries.map(({ transfer, sides: [from, to] }) => ({ ...transfer, from, to }));
  const sides = entries.flatMap(({ transfer, sides }) =>
    sides.map((side) => ({ ...side, cause: transfer.cause })),
  );
  const balances = new Map(sides.map(({ accountId, after }) => [accountId, after]));
  const { rows } = await tx.execute<{ id: string; cause: string }>(sql`
    with posted as (
      insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause, reversal_of, created_at)
      select env, token, from_id, to_id, amount, cause, reversal_of, ${now}::timestamptz
      from unnest(${text(transfers, "env")}, ${text(transfers, "token")}, ${accounts(transfers, "from")},
        ${accounts(transfers, "to")}, ${numbers(transfers, "amount")}, ${text(transfers, "cause")},
        ${column(
          transfers.map(({ cause }) => reverses.get(cause) ?? null),
          "bigint",
        )}
      ) with ordinality as u(env, token, from_id, to_id, amount, cause, reversal_of, n)
      order by n
      returning id, cause),
    sided as (
      insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
      select posted.id, account_id, amount, before, after, ${now}::timestamptz
      from unnest(${text(sides, "cause")}, ${column(
        sides.map(({ accountId }) => accountId),
        "bigint",
      )},
        ${numbers(sides, "amount")}, ${numbers(sides, "before")}, ${numbers(sides, "after")}
      ) with ordinality as u(cause, account_id, amount, before, after, n)
      join posted using (cause)
      order by n),
    balanced as (
      update ledger_accounts a set balance = v.balance, updated_at = ${now}::timestamptz
      from unnest(${column([...balances.keys()], "bigint")}, ${column([...balances.values()], "numeric")})
        as v(id, balance)
      where a.id = v.id)
    select id, cause from posted`);
  return new Map(rows.map(({ id, cause }) => [cause, Number(id)]));
}

const text = <Name extends string>(rows: readonly Readonly<Record<Name, string>>[], name: Name) =>
  column(
    rows.map((row) => row[name]),
    "text",
  );
const numbers = <Name extends string>(rows: readonly Readonly<Record<Name, bigint>>[], name: Name) =>
  column(
    rows.map((row) => row[name]),
    "numeric",
  );
const accounts = <Name extends string>(rows: readonly Readonly<Record<Name, Side>>[], name: Name) =>
  column(
    rows.map((row) => row[name].accountId),
    "bigint",
  );

/** A merchant's accounts in an environment, or every account of it. */
export async function listAccounts(db: Db, env: Account["env"], merchantId?: number): Promise<Account[]> {
  const { rows } = await db.execute<AccountRow>(sql`
    select id, env, token, code, balance::text as balance from ledger_accounts
    where env = ${env} and (${merchantId ?? null}::bigint is null or merchant_id = ${merchantId ?? null})
    order by code, token`);
  return rows.map(toAccount);
}

/** Ledger units on an account; zero for one that does not exist. */
export async function selectBalance(db: Db | Tx, key: AccountKey): Promise<bigint> {
  const [account] = await selectAccounts(db, [key]);
  return account?.balance ?? 0n;
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
        // A refused buy may have opened it: nothing moved there.
        or(ne(ledgerAccounts.balance, 0n), ne(ledgerAccounts.updatedAt, ledgerAccounts.createdAt)),
      ),
    )
    .prepare("merchant_balances"),
);

/** A merchant's own accounts, one per token that ever moved. */
export function selectMerchantBalances(db: Db, env: Account["env"], merchantId: number) {
  return merchantAccounts(db).execute({ env, code: `merchant:${merchantId}` });
}
