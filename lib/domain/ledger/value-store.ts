import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/**
 * Adds the values of the rows `changed` (env, merchant_id, direction, usd) to the totals. Always in the same merchant
 * order, so that concurrent statements do not deadlock.
 */
export const addToTotals = (now: SQL): SQL => sql`
  insert into merchant_totals (env, merchant_id, credit, debit, updated_at)
  select env, merchant_id, coalesce(sum(usd) filter (where direction = 'credit'), 0),
    coalesce(sum(usd) filter (where direction = 'debit'), 0), ${now}
  from changed where usd is not null group by env, merchant_id order by env, merchant_id
  on conflict (env, merchant_id) do update set credit = merchant_totals.credit + excluded.credit,
    debit = merchant_totals.debit + excluded.debit, updated_at = excluded.updated_at`;

/**
 * Gives each reversal the negative value of its transfer. A transfer that has no price yet is not in the totals: it
 * gets the value zero.
 */
export async function insertReversalValues(
  tx: Tx,
  reversals: readonly { readonly transferId: number; readonly reversalOf: number }[],
  now: Date,
): Promise<void> {
  if (reversals.length === 0) return;
  const ids = reversals.map(({ transferId }) => transferId);
  const reversed = sqlArray(
    reversals.map(({ reversalOf }) => reversalOf),
    "bigint",
  );
  // A separate statement: the next one must see the values that a concurrent priceTransfers has written.
  await tx.execute(
    sql`update transfer_values set usd = 0 where transfer_id = any(${reversed}) and usd is null`,
  );
  await tx.execute(sql`
    with changed as (
      insert into transfer_values (transfer_id, env, merchant_id, direction, usd, price_source, created_at)
      select u.id, v.env, v.merchant_id, v.direction, -v.usd, v.price_source, ${now}::timestamptz
      from unnest(${sqlArray(ids, "bigint")}, ${reversed}) as u(id, reversed)
      join transfer_values v on v.transfer_id = u.reversed
      returning env, merchant_id, direction, usd)
    ${addToTotals(sql`${now}::timestamptz`)}`);
}

/** Locks the oldest transfers of these tokens without a price. Skips those that another process has locked. */
export async function lockUnpricedTransfers(
  tx: Tx,
  tokens: readonly TokenCode[],
  limit: number,
): Promise<readonly { readonly transferId: number; readonly token: TokenCode; readonly amount: bigint }[]> {
  const { rows } = await tx.execute<{ id: string; token: TokenCode; amount: string }>(sql`
    select v.transfer_id as id, t.token, t.amount::text as amount
    from transfer_values v join ledger_transfers t on t.id = v.transfer_id
    where v.usd is null and t.token = any(${sqlArray(tokens, "text")})
    order by v.transfer_id limit ${limit} for update of v skip locked`);
  return rows.map(({ id, token, amount }) => ({ transferId: Number(id), token, amount: BigInt(amount) }));
}

/** Writes the values of unpriced transfers and adds them to the totals. The caller has locked them. */
export async function updateTransferValues(
  tx: Tx,
  values: readonly { readonly transferId: number; readonly usd: bigint; readonly priceSource: string }[],
  now: Date,
): Promise<void> {
  const ids = values.map(({ transferId }) => transferId);
  const usd = values.map((value) => value.usd);
  const sources = values.map(({ priceSource }) => priceSource);
  await tx.execute(sql`
    with changed as (
      update transfer_values v set usd = u.usd, price_source = u.source
      from unnest(${sqlArray(ids, "bigint")}, ${sqlArray(usd, "numeric")}, ${sqlArray(sources, "text")})
        as u(id, usd, source)
      where v.transfer_id = u.id and v.usd is null
      returning v.env, v.merchant_id, v.direction, v.usd)
    ${addToTotals(sql`${now}::timestamptz`)}`);
}
