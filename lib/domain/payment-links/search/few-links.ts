import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { paymentLinks } from "../tables.ts";
import type { AmountRange, LinkFilter } from "../types.ts";

/** PostgreSQL counts so many entries of an index, and sorts them, in a twentieth of a second each. */
const FEW = 50_000;

/**
 * True if few links of the merchant meet the condition, and the filter asks for nothing else. PostgreSQL expects links that match to be
 * spread evenly over the time, and reads the newest links until a page is full. If all that match are old, that reads almost every link.
 * The entries of an index with the condition, the times and the ids are better sorted (`order by ${SORTED}`): only links that match are read,
 * or none where the index has the column itself.
 * The alias of the links is `l`.
 */
export async function areFew(db: Db | Tx, filter: LinkFilter, condition: SQL): Promise<boolean> {
  const { merchantId, env, state, paymentReference, paidBy, seller, customerEmail } = filter;
  if (merchantId === null || state !== null || paymentReference !== null) return false;
  if (paidBy || seller || customerEmail !== undefined) return false;
  const matching = sql`select from ${paymentLinks} l where l.merchant_id = ${merchantId} and l.env = ${env} and ${condition}`;
  return !(await hasMore(db, matching, FEW));
}

/** The condition that a column begins with a text. The column has an index in the order of its characters. */
export interface Beginning {
  readonly column: SQL;
  readonly begins: SQL;
}

/**
 * Two rounds of questions, cheap ones first. `few`: PostgreSQL reads and sorts so many links, wherever they are, in less time than a person
 * notices. `read`: links that are read for each one of a page, to find out whether the newest fill it.
 */
const ROUNDS = [
  { few: 1_000, read: 80 },
  { few: 12_000, read: 600 },
] as const;
const MOST_READ = 30_000;

/**
 * True if the links whose column begins with a text are better sorted (`order by ${SORTED}`) than looked for among the newest ones that pass a
 * filter: there are few of them, or those among the newest links do not fill a page. PostgreSQL expects links that match to be spread evenly over the time,
 * and would read almost every link where all that match are old. `passing` is the condition of the filter, which has an index in the order
 * of the list. The alias of the links is `l`.
 */
export async function areOld(
  db: Db | Tx,
  { merchantId, env }: LinkFilter,
  { column, begins }: Beginning,
  { passing, limit }: { readonly passing: SQL; readonly limit: number },
): Promise<boolean> {
  for (const { few, read } of ROUNDS) {
    // In the order of the column's index: PostgreSQL would read links that do not match to find some that do.
    const matching = sql`select from ${paymentLinks} l where l.merchant_id = ${merchantId} and l.env = ${env} and ${begins}
      order by ${column} using ~<~`;
    if (!(await hasMore(db, matching, few))) return true;
    const newest = sql`select l.* from ${paymentLinks} l where ${passing} order by l.created_at desc, l.id desc limit ${Math.min(read * limit, MOST_READ)}`;
    if (await hasMore(db, sql`select from (${newest}) l where ${begins}`, limit - 1)) return false;
  }
  return true;
}

/** True if a query finds more rows than `most`. */
async function hasMore(db: Db | Tx, rows: SQL, most: number): Promise<boolean> {
  const { rows: met } = await db.execute<{ met: number }>(
    sql`select count(*)::int as met from (${rows} limit ${most + 1}) as found`,
  );
  return (met[0]?.met ?? 0) > most;
}

/** Newest first, in an order that no index has. */
export const SORTED = sql`l.created_at + interval '0' desc, l.id desc`;

/** The condition that a link's amount is in the range. The alias of the links is `l`. */
export const inAmountRange = ({ currency, least, most }: AmountRange): SQL =>
  sql`l.currency = ${currency}${least === null ? sql`` : sql` and l.amount >= ${least}::numeric`}${most === null ? sql`` : sql` and l.amount <= ${most}::numeric`}`;
