import { type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";

/** Which unmatched deposits are resolved together. null: any. */
export interface UnmatchedFilter {
  readonly env: Env;
  readonly network: NetworkCode | null;
  readonly token: TokenCode | null;
  readonly reason: string | null;
  /** The merchant of their addresses. */
  readonly ownerId: number | null;
  /** Ledger units. Only together with `token`. */
  readonly below: bigint | null;
  readonly createdBefore: Date | null;
  /** Only ids up to this one. */
  readonly upTo: number | null;
}

/** The conditions of a filter on columns that both tables of unmatched deposits have. */
const isInFilter = ({ env, network, ownerId, createdBefore, upTo }: UnmatchedFilter): SQL => sql`
  u.env = ${env} and (${network}::text is null or u.network = ${network})
  and (${ownerId}::bigint is null or u.merchant_id = ${ownerId})
  and (${createdBefore?.toISOString() ?? null}::timestamptz is null
    or u.created_at < ${createdBefore?.toISOString() ?? null}::timestamptz)
  and (${upTo}::bigint is null or u.id <= ${upTo}::bigint)`;

/** Held deposits, as `u`. */
export const isHeld = (filter: UnmatchedFilter): SQL => sql`
  u.unmatched_reason is not null and u.status = ${depositLiteral("held")} and ${isInFilter(filter)}
  and (${filter.token}::text is null or u.token = ${filter.token})
  and (${filter.reason}::text is null or u.unmatched_reason = ${filter.reason})
  and (${filter.below?.toString() ?? null}::numeric is null or u.amount < ${filter.below?.toString() ?? null}::numeric)`;

/** Open deposits of unlisted tokens, as `u`. An unlisted token has no code and one reason. */
export const isUnlisted = (filter: UnmatchedFilter): SQL => sql`
  u.resolved_at is null and ${isInFilter(filter)}
  and ${filter.token === null && (filter.reason === null || filter.reason === "unknown_token")}::boolean`;

/** Counts the deposits that a filter selects: held ones by token, and those of unlisted tokens. `lastId` is the highest id, 0 for none. */
export async function countUnmatched(db: Db, filter: UnmatchedFilter) {
  const { rows } = await db.execute<{
    token: TokenCode | null;
    deposits: string;
    amount: string;
    last: string;
  }>(sql`
    select token, count(*) as deposits, sum(amount)::text as amount, max(id) as last
    from deposits u where ${isHeld(filter)} group by token
    union all
    select null, count(*), '0', coalesce(max(id), 0) from foreign_deposits u where ${isUnlisted(filter)}
    order by token`);
  return {
    lastId: Math.max(...rows.map(({ last }) => Number(last))),
    unlisted: Number(rows.find(({ token }) => token === null)?.deposits ?? 0),
    held: rows.flatMap(({ token, deposits, amount }) =>
      token === null ? [] : [{ token, deposits: Number(deposits), amount: BigInt(amount) }],
    ),
  };
}
