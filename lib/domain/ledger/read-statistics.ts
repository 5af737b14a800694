import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { findMerchantTotals } from "./value-store.ts";

/** What came in and went out for a merchant, in 10^-8 USD at the prices of the day. Costs the same however much it was. */
export async function getStatistics(
  db: Db,
  env: Env,
  merchantId: number,
): Promise<{ readonly credit: bigint; readonly debit: bigint }> {
  return (await findMerchantTotals(db, env, merchantId)) ?? { credit: 0n, debit: 0n };
}
