import { type SQL, sql } from "drizzle-orm";
import { NETWORKS } from "#lib/chains/networks.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { LinkFilter, LinkPosition } from "../queries.ts";
import { paymentLinks, paymentLinkWallets } from "../tables.ts";
import type { SearchTerms } from "./search-text.ts";

/** Where to search: the links of one merchant, in one state or any. */
export type SearchedLinks = LinkFilter & { readonly merchantId: number };

/**
 * Ids of the links that match, newest first, after the link `before`. Each kind of text is one place of an index that has
 * the order of the list, so that the cost depends neither on the number of links nor on how many match.
 */
export async function searchLinkIds(
  db: Db | Tx,
  links: SearchedLinks,
  terms: SearchTerms,
  { before, limit }: { readonly before: LinkPosition | null; readonly limit: number },
): Promise<number[]> {
  const { from, to } = links.created ?? {};
  const branches = listConditions(links, terms).map(
    (condition) => sql`(select l.id, l.created_at from ${paymentLinks} l
      where l.merchant_id = ${links.merchantId} and l.env = ${links.env} and ${condition}
        ${links.state === null ? sql`` : sql`and l.state = ${links.state}`}
        ${links.paymentReference === null ? sql`` : sql`and l.payment_reference = ${links.paymentReference}`}
        ${from ? sql`and l.created_at >= ${from.toISOString()}::timestamptz` : sql``}
        ${to ? sql`and l.created_at < ${to.toISOString()}::timestamptz` : sql``}
        ${before === null ? sql`` : sql`and (l.created_at, l.id) < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::bigint)`}
      order by l.created_at desc, l.id desc limit ${limit})`,
  );
  if (branches.length === 0) return [];
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${sql.join(branches, sql` union `)}) found order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ id }) => Number(id));
}

/** One condition for each thing that the text may be. */
function listConditions({ merchantId, env }: SearchedLinks, terms: SearchTerms): SQL[] {
  const { refid, reference, email, name, hashes, addresses: texts } = terms;
  const paying = (condition: SQL) =>
    sql`l.id in (select w.payment_link_id from ${paymentLinkWallets} w ${condition})`;
  const isFirst = (text: string) => sql`lower(l.customer_first_name) = ${text}`;
  const isLast = (text: string) => sql`lower(l.customer_last_name) = ${text}`;
  return [
    ...(refid === null ? [] : [sql`l.refid = ${refid}`]),
    ...(reference === null ? [] : [sql`l.payment_reference = ${reference}`]),
    ...(email === null ? [] : [sql`lower(l.customer_email) = ${email}`]),
    ...(name === null ? [] : [isFirst(name.whole), isLast(name.whole)]),
    ...(name?.split ? [sql`${isLast(name.split.last)} and ${isFirst(name.split.first)}`] : []),
    ...(hashes.length === 0
      ? []
      : [
          paying(sql`join ${deposits} d on d.address_id = w.address_id
            where d.merchant_id = ${merchantId} and d.env = ${env} and d.tx_hash = any(${sqlArray(hashes, "text")})`),
        ]),
    ...(texts.length === 0
      ? []
      : [
          paying(sql`join ${addresses} a on a.id = w.address_id
            where a.env = ${env} and a.network = any(${sqlArray(Object.keys(NETWORKS), "text")})
              and a.address = any(${sqlArray(texts, "text")})`),
        ]),
  ];
}
