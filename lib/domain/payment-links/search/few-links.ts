import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { paymentLinks } from "../tables.ts";
import type { AmountRange, LinkFilter } from "../types.ts";

/** PostgreSQL counts so many entries of an index, and sorts them, in a twentieth of a second each. */
const FEW = 50_000;

/**
 * For each condition, true if few links of the merchant meet it, and the filter asks for nothing else. PostgreSQL expects links that match
 * to be spread evenly over the time, and reads the newest links until a page is full. If all that match are old, that reads almost every
 * link. The entries of an index with the condition, the times and the ids are better sorted (`order by ${SORTED}`), as no link is read for
 * it. The alias of the links is `l`.
 */
export async function areFew(
  db: Db | Tx,
  filter: LinkFilter,
  conditions: readonly SQL[],
): Promise<readonly boolean[]> {
  const { merchantId, env, state, paymentReference, paidBy, seller, customerEmail } = filter;
  const isOnly = merchantId !== null && state === null && paymentReference === null;
  if (!isOnly || paidBy || seller || customerEmail !== undefined || conditions.length === 0)
    return conditions.map(() => false);
  const counts = conditions.map(
    (condition) => sql`(select count(*)::int from (
      select from ${paymentLinks} l where l.merchant_id = ${merchantId} and l.env = ${env} and ${condition} limit ${FEW + 1}) as found)`,
  );
  const { rows } = await db.execute<{ counts: number[] }>(
    sql`select array[${sql.join(counts, sql`, `)}] as counts`,
  );
  return conditions.map((_, at) => (rows[0]?.counts[at] ?? 0) <= FEW);
}

/** Newest first, in an order that no index has. */
export const SORTED = sql`l.created_at + interval '0' desc, l.id desc`;

/** The condition that a link's amount is in the range. The alias of the links is `l`. */
export const inAmountRange = ({ currency, least, most }: AmountRange): SQL =>
  sql`l.currency = ${currency}${least === null ? sql`` : sql` and l.amount >= ${least}::numeric`}${most === null ? sql`` : sql` and l.amount <= ${most}::numeric`}`;
