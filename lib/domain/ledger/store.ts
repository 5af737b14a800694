import { and, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/named-statement.ts";
import { accountName, parseMerchantId } from "./rules.ts";
import { ledgerAccounts } from "./tables.ts";
import type {
  AccountCode,
  LedgerAccount,
  LedgerAccountRef,
  NewLedgerTransfer,
  PostedLedgerTransfer,
} from "./types.ts";

/** Everything is one statement for any number of rows: columns travel as arrays. */
const column = (values: readonly unknown[], type: string) =>
  sql`${sql.param(values.map((value) => (typeof value === "bigint" ? value.toString() : value)))}::${sql.raw(type)}[]`;

/** Parameters of account keys, one array for each part. */
const keysParameters = (keys: readonly LedgerAccountRef[]) => ({
  envs: keys.map(({ env }) => env),
  tokens: keys.map(({ token }) => token),
  codes: keys.map(({ code }) => code),
});
const KEYS = sql`unnest(${sql.placeholder("envs")}::text[], ${sql.placeholder("tokens")}::text[],
  ${sql.placeholder("codes")}::text[])`;

const creation = namedStatement(
  "create_ledger_accounts",
  sql`
    insert into ledger_accounts (env, token, code, merchant_id, created_at, updated_at)
    select k.env, k.token, k.code, m.id, ${sql.placeholder("now")}::timestamptz, ${sql.placeholder("now")}::timestamptz
    from (select env, token, code, n from ${KEYS} with ordinality as u(env, token, code, n)) k
    join unnest(${sql.placeholder("merchants")}::bigint[]) with ordinality as m(id, n) using (n)
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

const toAccount = ({ id, balance, env, token, code }: AccountRow): LedgerAccount => ({
  id: Number(id),
  balance: BigInt(balance),
  env,
  token,
  code,
});

const selection = (lock: SQL) => sql`
  select a.id, a.env, a.token, a.code, a.balance::text as balance from ledger_accounts a
  where (a.env, a.code, a.token) in (select k.env, k.code, k.token from ${KEYS} as k(env, token, code))
  order by a.id ${lock}`;
const reading = namedStatement<AccountRow>("ledger_accounts", selection(sql``));
const locking = namedStatement<AccountRow>("lock_ledger_accounts", selection(sql`for update of a`));

/** Makes the accounts that are missing. In one order everywhere, so that two makers wait instead of deadlocking. */
export async function insertMissingAccounts(
  tx: Tx,
  keys: readonly LedgerAccountRef[],
  now: Date,
): Promise<void> {
  const known = new Set((await reading(tx, keysParameters(keys))).map(accountName));
  const missing = keys.filter((key) => !known.has(accountName(key)));
  if (missing.length === 0) return;
  const merchants = missing.map(({ code }) => parseMerchantId(code));
  await creation(tx, { ...keysParameters(missing), merchants, now });
}

/** The existing ones among these accounts, locked by ascending id until the transaction ends. */
export async function lockAccounts(tx: Tx, keys: readonly LedgerAccountRef[]): Promise<LedgerAccount[]> {
  return (await locking(tx, keysParameters(keys))).map(toAccount);
}

/** Which of these causes have been posted. */
export async function listPostedCauses(tx: Tx, causes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.execute<{ cause: string }>(
    sql`select cause from ledger_transfers where cause = any(${column(causes, "text")})`,
  );
  return new Set(rows.map(({ cause }) => cause));
}

/** The transfers with these causes that stand unreversed, oldest first. */
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
    where t.cause = any(${column(causes, "text")})
      and not exists (select 1 from ledger_transfers r where r.reversal_of = t.id)
    order by t.id`);
  return rows.map((row) => ({ ...row, id: Number(row.id), amount: BigInt(row.amount) }));
}

/** A merchant's accounts in an environment, or every account of it. */
export async function listAccounts(
  db: Db,
  env: LedgerAccount["env"],
  merchantId?: number,
): Promise<LedgerAccount[]> {
  const { rows } = await db.execute<AccountRow>(sql`
    select id, env, token, code, balance::text as balance from ledger_accounts
    where env = ${env} and (${merchantId ?? null}::bigint is null or merchant_id = ${merchantId ?? null})
    order by code, token`);
  return rows.map(toAccount);
}

/** Ledger units on an account; zero for one that does not exist. */
export async function getBalance(db: Db | Tx, key: LedgerAccountRef): Promise<bigint> {
  const [account] = await reading(db, keysParameters([key]));
  return BigInt(account?.balance ?? 0);
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
export function listMerchantAccounts(db: Db, env: LedgerAccount["env"], merchantId: number) {
  return merchantAccounts(db).execute({ env, code: `merchant:${merchantId}` });
}
