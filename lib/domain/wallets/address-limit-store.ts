import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { networkSettings } from "#lib/domain/settings/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { type AddressUse, NEAR_LIMIT, UNPAID_PER_PAID } from "./address-limit-rules.ts";
import { addressCounts, paidAddressCounts } from "./tables.ts";

/** A merchant's use of a network. Reads kept counts only, along primary keys, whatever the number of addresses. */
export async function getAddressUse(
  db: Db | Tx,
  {
    env,
    network,
    merchantId,
  }: { readonly env: Env; readonly network: NetworkCode; readonly merchantId: number },
): Promise<AddressUse> {
  const ofMerchant = sql`merchant_id = ${merchantId} and env = ${env}`;
  const { rows } = await db.execute<
    Record<"allowed" | "count" | "paid" | "anywhere", string> & { others: boolean }
  >(sql`
    select unpaid_addresses as allowed,
      coalesce((select count from ${addressCounts} where ${ofMerchant} and network = ${network}), 0) as count,
      coalesce((select count from ${paidAddressCounts} where ${ofMerchant} and network = ${network}), 0) as paid,
      coalesce((select sum(count) from ${paidAddressCounts} where ${ofMerchant}), 0) as anywhere,
      exists (select from ${merchants} where id <> ${merchantId}) as others
    from ${networkSettings} where env = ${env} and network = ${network}`);
  const [row] = rows;
  if (row === undefined) throw new Error(`there are no settings of ${env} ${network}`);
  return {
    allowed: Number(row.allowed),
    count: Number(row.count),
    paid: Number(row.paid),
    paidAnywhere: Number(row.anywhere),
    hasOthers: row.others,
  };
}

/** A merchant that is near its limit or has reached it. */
export interface LimitedMerchant {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly merchantId: number;
  readonly unpaid: number;
  readonly limit: number;
}

/** The merchants that have at least NEAR_LIMIT of their limit on a network, the fullest first, at most 100. */
export async function listLimitedMerchants(db: Db): Promise<LimitedMerchant[]> {
  const { rows } = await db.execute<
    Record<"merchant_id" | "unpaid" | "most", string> & Pick<LimitedMerchant, "env" | "network">
  >(sql`
    select c.env, c.network, c.merchant_id, use.unpaid, use.most
    from ${addressCounts} c
    join ${networkSettings} s on s.env = c.env and s.network = c.network
      and c.count >= s.unpaid_addresses * ${NEAR_LIMIT}::float8
    cross join lateral (
      select c.count - coalesce(sum(p.count) filter (where p.network = c.network), 0) as unpaid,
        s.unpaid_addresses + ${UNPAID_PER_PAID}::bigint * coalesce(sum(p.count), 0) as most
      from ${paidAddressCounts} p where p.merchant_id = c.merchant_id and p.env = c.env) use
    where use.unpaid >= use.most * ${NEAR_LIMIT}::float8
    order by use.unpaid / use.most desc, c.merchant_id, c.env, c.network
    limit 100`);
  return rows.map(({ env, network, merchant_id, unpaid, most }) => ({
    env,
    network,
    merchantId: Number(merchant_id),
    unpaid: Number(unpaid),
    limit: Number(most),
  }));
}
