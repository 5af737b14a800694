import { sql } from "drizzle-orm";
import type { Tx } from "#lib/db/connection.ts";
import type { PlacedBuy } from "./types.ts";

/** Ids for buys that may yet be refused: their transfers are named after them. */
export async function reserveBuyIds(tx: Tx, count: number): Promise<readonly number[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select nextval(pg_get_serial_sequence('buys', 'id'))::text as id from generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Writes buys, all of them in one statement. */
export async function insertBuys(tx: Tx, buys: readonly PlacedBuy[], now: Date): Promise<void> {
  if (buys.length === 0) return;
  const rows = buys.map(({ id, env, merchantId, token, amount, cost, fee, rate }) => ({
    ...{ id, env, merchant_id: merchantId, token, price: rate.price, price_source: rate.source },
    ...{ amount: amount.toString(), cost: cost.toString(), fee: fee.toString(), price_at: rate.at },
  }));
  await tx.execute(sql`
    insert into buys (id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at, created_at)
    overriding system value
    select id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, env text, merchant_id bigint, token text,
      amount numeric, cost numeric, fee numeric, price text, price_source text, price_at timestamptz)`);
}
