import { type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

const column = (values: readonly unknown[], type: string) =>
  sql`${sql.param(values.map((value) => (typeof value === "bigint" ? value.toString() : value)))}::${sql.raw(type)}[]`;

/** Adds the values of the rows `changed` (env, merchant_id, direction, usd) to the totals; merchants in one order. */
export const addToTotals = (now: SQL): SQL => sql`
  insert into merchant_totals (env, merchant_id, credit, debit, updated_at)
  select env, merchant_id, coalesce(sum(usd) filter (where direction = 'credit'), 0),
    coalesce(sum(usd) filter (where direction = 'debit'), 0), ${now}
  from changed where usd is not null group by env, merchant_id order by env, merchant_id
  on conflict (env, merchant_id) do update set credit = merchant_totals.credit + excluded.credit,
    debit = merchant_totals.debit + excluded.debit, updated_at = excluded.updated_at`;

/**
 * Gives each reversal the opposite of what its transfer was counted with. One that waited for a price never was: it
 * waits no longer.
 */
export async function insertReversalValues(
  tx: Tx,
  reversals: readonly { readonly transferId: number; readonly reversalOf: number }[],
  now: Date,
): Promise<void> {
  if (reversals.length === 0) return;
  const ids = reversals.map(({ transferId }) => transferId);
  const reversed = column(
    reversals.map(({ reversalOf }) => reversalOf),
    "bigint",
  );
  // A statement of its own: the next one must see what a pricing that was under way has written.
  await tx.execute(
    sql`update transfer_values set usd = 0 where transfer_id = any(${reversed}) and usd is null`,
  );
  await tx.execute(sql`
    with changed as (
      insert into transfer_values (transfer_id, env, merchant_id, direction, usd, created_at)
      select u.id, v.env, v.merchant_id, v.direction, -v.usd, ${now}::timestamptz
      from unnest(${column(ids, "bigint")}, ${reversed}) as u(id, reversed)
      join transfer_values v on v.transfer_id = u.reversed
      returning env, merchant_id, direction, usd)
    ${addToTotals(sql`${now}::timestamptz`)}`);
}

/** The oldest transfers of these tokens that wait for a price, locked; those another process has in hand are left out. */
export async function lockUnpricedTransfers(
  tx: Tx,
  tokens: readonly TokenCode[],
  limit: number,
): Promise<readonly { readonly transferId: number; readonly token: TokenCode; readonly amount: bigint }[]> {
  const { rows } = await tx.execute<{ id: string; token: TokenCode; amount: string }>(sql`
    select v.transfer_id as id, t.token, t.amount::text as amount
    from transfer_values v join ledger_transfers t on t.id = v.transfer_id
    where v.usd is null and t.token = any(${column(tokens, "text")})
    order by v.transfer_id limit ${limit} for update of v skip locked`);
  return rows.map(({ id, token, amount }) => ({ transferId: Number(id), token, amount: BigInt(amount) }));
}

/** Writes the values of transfers that waited (locked by the caller) and counts them. */
export async function updateTransferValues(
  tx: Tx,
  values: readonly { readonly transferId: number; readonly usd: bigint }[],
  now: Date,
): Promise<void> {
  const ids = values.map(({ transferId }) => transferId);
  const usd = values.map((value) => value.usd);
  await tx.execute(sql`
    with changed as (
      update transfer_values v set usd = u.usd
      from unnest(${column(ids, "bigint")}, ${column(usd, "numeric")}) as u(id, usd)
      where v.transfer_id = u.id and v.usd is null
      returning v.env, v.merchant_id, v.direction, v.usd)
    ${addToTotals(sql`${now}::timestamptz`)}`);
}

/** Of 10^-8 USD; null: nothing was counted yet. */
export async function findMerchantTotals(
  db: Db | Tx,
  env: Env,
  merchantId: number,
): Promise<{ readonly credit: bigint; readonly debit: bigint } | null> {
  const { rows } = await db.execute<{ credit: string; debit: string }>(sql`
    select credit::text as credit, debit::text as debit from merchant_totals
    where env = ${env} and merchant_id = ${merchantId}`);
  const [row] = rows;
  return row === undefined ? null : { credit: BigInt(row.credit), debit: BigInt(row.debit) };
}
