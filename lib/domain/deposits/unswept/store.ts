import { sql } from "drizzle-orm";
import { depositLiterals } from "#lib/domain/deposit-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { SweptToken } from "./queries.ts";

/** The answer of a node about an address. */
export interface LookedAt {
  readonly addressId: number;
  /** As listUnswept returned it. A row that a deposit has changed since then is left as it is. */
  readonly amount: bigint;
  /** The balance of the address, in ledger units. */
  readonly balance: bigint;
  /** The signer does not look at it before. Null if it may look at once. */
  readonly retryAt: Date | null;
  /** When a sweep of it was last signed: it took what was credited before. */
  readonly sweptAt?: Date | null;
}

/**
 * Stores what was found, and deletes an empty row that needs no second look. Within three hours after the last credit of its address on the
 * network, a balance below the row's amount is not believed, unless a later sweep explains it: a node that lags does not know the deposit
 * yet, and only the next deposit would correct it. Until then such a row keeps its amount, and is looked at every half hour. No longer: a
 * new deposit does not end the wait. Rows that are written now are left.
 */
export async function updateUnswept(
  db: Db | Tx,
  { env, network, token }: SweptToken,
  found: readonly LookedAt[],
  now: Date,
): Promise<void> {
  const seen = JSON.stringify(
    found.map(({ addressId, amount, balance, retryAt, sweptAt = null }) => ({
      address_id: addressId,
      amount: amount.toString(),
      balance: balance.toString(),
      retry_at: retryAt,
      swept_at: sweptAt,
    })),
  );
  const at = sql`${now.toISOString()}::timestamptz`;
  await db.execute(sql`
    with seen as (
      select u.address_id, u.amount, s.balance, s.retry_at, s.swept_at from unswept_amounts u
      join jsonb_to_recordset(${seen}::jsonb)
        as s(address_id bigint, amount numeric, balance numeric, retry_at timestamptz, swept_at timestamptz) using (address_id)
      where u.token = ${token} and u.env = ${env} and u.network = ${network} and u.amount = s.amount
      order by u.address_id for update of u skip locked
    ), unsure as (
      select address_id, amount as balance, ${at} + interval '30 minutes' as retry_at from seen
      where balance < amount and retry_at is null and exists (
        select from deposits d where d.address_id = seen.address_id and d.network = ${network}
          and d.status in ${depositLiterals(["credited", "held"])}
          and d.confirmed_at > greatest(${at} - interval '3 hours', seen.swept_at)
      )
    ), gone as (
      delete from unswept_amounts u using seen s
      where u.address_id = s.address_id and u.token = ${token} and u.env = ${env} and u.network = ${network}
        and s.balance = 0 and s.retry_at is null
        and s.address_id not in (select address_id from unsure)
    )
    update unswept_amounts u set amount = s.balance, retry_at = s.retry_at
    from (
      select address_id, balance, retry_at from seen
      where (balance > 0 or retry_at is not null) and address_id not in (select address_id from unsure)
      union all select address_id, balance, retry_at from unsure
    ) s
    where u.address_id = s.address_id and u.token = ${token} and u.env = ${env} and u.network = ${network}`);
}

/** Lets the signer look again at addresses whose time has come, a few at once. */
export async function updateDueUnswept(
  db: Db,
  { env, network }: Omit<SweptToken, "token">,
  now: Date,
  limit: number,
): Promise<void> {
  await db.execute(sql`
    update unswept_amounts u set retry_at = null
    from (
      select address_id, token from unswept_amounts
      where env = ${env} and network = ${network} and retry_at is not null and retry_at <= ${now}
      order by retry_at limit ${limit} for update skip locked
    ) due
    where u.address_id = due.address_id and u.token = due.token and u.env = ${env} and u.network = ${network}`);
}
