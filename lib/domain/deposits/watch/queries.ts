import { sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode, NetworkScope } from "#lib/chains/networks.ts";
import { depositLiteral, depositLiterals } from "#lib/domain/deposit-status.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deposits } from "../tables.ts";

/** Counts deposits that wait for confirmations or are held, by network. Credited ones are too many to count. */
export async function countOpenDeposits(
  db: Db,
): Promise<readonly (NetworkScope & { readonly state: "waiting" | "held"; readonly count: number })[]> {
  // Each half has its own partial index (deposits_pending, deposits_unmatched).
  type Row = { env: Env; network: NetworkCode; state: "waiting" | "held"; count: string };
  const { rows } = await db.execute<Row>(sql`
    select env, network, 'waiting' as state, count(*) from ${deposits}
      where status = ${depositLiteral("seen")} group by env, network
    union all
    select env, network, 'held', count(*) from ${deposits}
      where unmatched_reason is not null and status in ${depositLiterals(["seen", "held"])}
        and status = ${depositLiteral("held")} group by env, network`);
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}
