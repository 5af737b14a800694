import { sql } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { namedStatement } from "#lib/platform/db/named-statement.ts";
import type { PlacedBuy } from "./types.ts";

const reservation = namedStatement<{ id: string }>(
  "reserve_buy_ids",
  sql`select nextval('buys_id_seq') as id from generate_series(1, ${sql.placeholder("count")}::integer)`,
);

/** Ids for buys that may yet be refused: their transfers are named after them. */
export async function reserveBuyIds(tx: Tx, count: number): Promise<readonly number[]> {
  return (await reservation(tx, { count })).map(({ id }) => Number(id));
}

const insertion = namedStatement(
  "insert_buys",
  sql`
    insert into buys (id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at, created_at)
    overriding system value
    select id, env, merchant_id, token, amount, cost, fee, price, price_source, price_at,
      ${sql.placeholder("now")}::timestamptz
    from jsonb_to_recordset(${sql.placeholder("buys")}::jsonb) as r(id bigint, env text, merchant_id bigint, token text,
      amount numeric, cost numeric, fee numeric, price text, price_source text, price_at timestamptz)`,
);

/** Writes buys, all of them in one statement. */
export async function insertBuys(tx: Tx, buys: readonly PlacedBuy[], now: Date): Promise<void> {
  if (buys.length === 0) return;
  const rows = buys.map(({ id, env, merchantId, token, amount, cost, fee, rate }) => ({
    ...{ id, env, merchant_id: merchantId, token, price: rate.price, price_source: rate.source },
    ...{ amount: amount.toString(), cost: cost.toString(), fee: fee.toString(), price_at: rate.at },
  }));
  await insertion(tx, { now, buys: JSON.stringify(rows) });
}
