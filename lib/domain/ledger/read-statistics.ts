import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { selectTotals } from "./value-store.ts";

/** What came in and went out for a merchant, in 10^-8 USD at the prices of the day. Costs the same however much it was. */
export async function readStatistics(
  db: Db,
  env: Env,
  merchantId: number,
): Promise<{ readonly credit: bigint; readonly debit: bigint }> {
  return (await selectTotals(db, env, merchantId)) ?? { credit: 0n, debit: 0n };
}
