import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/named-statement.ts";
import type { JournalEntry } from "./rules.ts";
import { addToTotals } from "./value-store.ts";

/** What a transfer is worth to a merchant's statistics. */
export interface NewTransferValue {
  /** The transfer's. */
  readonly cause: string;
  readonly env: Env;
  readonly merchantId: number;
  readonly direction: "credit" | "debit";
  /** Of 10^-8 USD; null: no price is known yet, so it waits for one, uncounted. */
  readonly usd: bigint | null;
}

const given = (name: string, type: string) => sql`${sql.placeholder(name)}::${sql.raw(type)}`;
const now = given("now", "timestamptz");

/** Columns travel as arrays: one statement for any number of rows. */
const writing = namedStatement<{ id: string; cause: string }>(
  "write_ledger_entries",
  sql`
    with posted as (
      insert into ledger_transfers (env, token, from_account_id, to_account_id, amount, cause, reversal_of, created_at)
      select env, token, from_id, to_id, amount, cause, reversal_of, ${now}
      from unnest(${given("envs", "text[]")}, ${given("tokens", "text[]")}, ${given("from", "bigint[]")},
        ${given("to", "bigint[]")}, ${given("amounts", "numeric[]")}, ${given("causes", "text[]")},
        ${given("reversals", "bigint[]")}
      ) with ordinality as u(env, token, from_id, to_id, amount, cause, reversal_of, n)
      order by n
      returning id, cause),
    sided as (
      insert into ledger_postings (transfer_id, account_id, amount, balance_before, balance_after, created_at)
      select posted.id, account_id, amount, before, after, ${now}
      from unnest(${given("sideCauses", "text[]")}, ${given("sideAccounts", "bigint[]")},
        ${given("sideAmounts", "numeric[]")}, ${given("befores", "numeric[]")}, ${given("afters", "numeric[]")}
      ) with ordinality as u(cause, account_id, amount, before, after, n)
      join posted using (cause)
      order by n),
    balanced as (
      update ledger_accounts a set balance = v.balance, updated_at = ${now}
      from unnest(${given("accounts", "bigint[]")}, ${given("balances", "numeric[]")}) as v(id, balance)
      where a.id = v.id),
    changed as (
      insert into transfer_values (transfer_id, env, merchant_id, direction, usd, created_at)
      select posted.id, env, merchant_id, direction, usd, ${now}
      from unnest(${given("valueCauses", "text[]")}, ${given("valueEnvs", "text[]")}, ${given("merchants", "bigint[]")},
        ${given("directions", "text[]")}, ${given("usd", "numeric[]")}
      ) as u(cause, env, merchant_id, direction, usd)
      join posted using (cause)
      returning env, merchant_id, direction, usd),
    counted as (${addToTotals(now)})
    select id, cause from posted`,
);

/**
 * Writes transfers, both sides of each in the order given, the new balances, and what the transfers are worth, in one
 * statement. `reverses` maps a cause to the transfer it takes back. Returns the ids by their causes.
 */
export async function insertJournalEntries(
  tx: Tx,
  entries: readonly JournalEntry[],
  values: readonly NewTransferValue[],
  reverses: ReadonlyMap<string, number>,
  at: Date,
): Promise<ReadonlyMap<string, number>> {
  if (entries.length === 0) return new Map();
  const transfers = entries.map(({ transfer, postings: [from, to] }) => ({ ...transfer, from, to }));
  const sides = entries.flatMap(({ transfer, postings }) =>
    postings.map((side) => ({ ...side, cause: transfer.cause })),
  );
  const balances = new Map(sides.map(({ accountId, after }) => [accountId, after]));
  const rows = await writing(tx, {
    now: at,
    envs: transfers.map(({ env }) => env),
    tokens: transfers.map(({ token }) => token),
    from: transfers.map(({ from }) => from.accountId),
    to: transfers.map(({ to }) => to.accountId),
    amounts: transfers.map(({ amount }) => amount),
    causes: transfers.map(({ cause }) => cause),
    reversals: transfers.map(({ cause }) => reverses.get(cause) ?? null),
    sideCauses: sides.map(({ cause }) => cause),
    sideAccounts: sides.map(({ accountId }) => accountId),
    sideAmounts: sides.map(({ amount }) => amount),
    befores: sides.map(({ before }) => before),
    afters: sides.map(({ after }) => after),
    accounts: [...balances.keys()],
    balances: [...balances.values()],
    valueCauses: values.map(({ cause }) => cause),
    valueEnvs: values.map(({ env }) => env),
    merchants: values.map(({ merchantId }) => merchantId),
    directions: values.map(({ direction }) => direction),
    usd: values.map(({ usd }) => usd),
  });
  return new Map(rows.map(({ id, cause }) => [cause, Number(id)]));
}
