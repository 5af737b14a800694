import { and, desc, getTableColumns, gte, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { namedQuery, sqlArray } from "#lib/platform/db/statements.ts";
import { quotes } from "./tables.ts";
import type { QuoteRow } from "./types.ts";

/** Queries run on the pool or join a transaction. */
type Reader = Db | Tx;

const newestQuotes = namedQuery("newest_quotes", (db) => {
  const nth = sql<number>`row_number() over (partition by ${quotes.paymentLinkId} order by ${quotes.id} desc)`;
  const ranked = db
    .select({ ...getTableColumns(quotes), nth: nth.as("nth") })
    .from(quotes)
    .where(sql`${quotes.paymentLinkId} = any((select ${sql.placeholder("ids")})::bigint[])`)
    .as("ranked");
  return db
    .select()
    .from(ranked)
    .where(lte(ranked.nth, sql.placeholder("each")))
    .orderBy(desc(ranked.id));
});

/** Quotes of these links, newest first, at most `each` per link. */
export function listQuotes(db: Reader, linkIds: readonly number[], each: number): Promise<QuoteRow[]> {
  return newestQuotes(db, { ids: linkIds, each });
}

/** Quotes of these links that were valid at or after `since`. */
export async function listQuotesValidSince(
  db: Reader,
  linkIds: readonly number[],
  since: Date,
): Promise<QuoteRow[]> {
  return db
    .select()
    .from(quotes)
    .where(
      and(sql`${quotes.paymentLinkId} = any(${sqlArray(linkIds, "bigint")})`, gte(quotes.validUntil, since)),
    );
}
