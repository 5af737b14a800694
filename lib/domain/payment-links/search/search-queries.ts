import { type SQL, sql } from "drizzle-orm";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { likePrefix, sqlArray } from "#lib/platform/db/statements.ts";
import { isContradictory } from "../link-filter.ts";
import type { LinkPosition } from "../queries.ts";
import { paymentLinks, paymentLinkWallets } from "../tables.ts";
import type { LinkFilter } from "../types.ts";
import { areOld, type Beginning, inAmountRange, SORTED } from "./few-links.ts";
import type { SearchTerms } from "./search-text.ts";

/** Where to search: the links of one merchant, in one state or any. */
export type SearchedLinks = LinkFilter & { readonly merchantId: number };

/**
 * Ids of the links that match, newest first, after the link `before`. Each kind of text is one range of an index, or the newest links are
 * read until enough match: PostgreSQL chooses by how many it expects.
 */
export async function searchLinkIds(
  db: Db | Tx,
  links: SearchedLinks,
  terms: SearchTerms,
  { before, limit }: { readonly before: LinkPosition | null; readonly limit: number },
): Promise<number[]> {
  if (isContradictory(links)) return [];
  const { beginnings, others } = listConditions(links, terms);
  const passing = passes(links, before);
  const sorted = new Set<SQL>();
  if (!terms.isWhole)
    for (const one of beginnings) {
      if (hasOrder(links) && (await areOld(db, links, one, { passing, limit }))) sorted.add(one.begins);
    }
  const branches = [...beginnings.map(({ begins }) => begins), ...others].map(
    (condition) => sql`(select l.id, l.created_at from ${paymentLinks} l where ${passing} and ${condition}
      order by ${sorted.has(condition) ? SORTED : sql`l.created_at desc, l.id desc`} limit ${limit})`,
  );
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from (${sql.join(branches, sql` union `)}) found order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ id }) => Number(id));
}

/** True if an index has the links that pass the filter in the order of the list. */
const hasOrder = ({ paymentReference, paidBy, amount, seller, customerEmail }: LinkFilter) =>
  paymentReference === null && !amount && customerEmail === undefined && !(paidBy && seller);

/** The condition that a link passes the filter, and is in the list after the link `before`. The alias of the links is `l`. */
function passes(links: SearchedLinks, before: LinkPosition | null): SQL {
  const { amount, seller, customerEmail } = links;
  const { from, to } = links.created ?? {};
  return sql`l.merchant_id = ${links.merchantId} and l.env = ${links.env}
    ${links.state === null ? sql`` : sql`and l.state = ${links.state}`}
    ${links.paymentReference === null ? sql`` : sql`and l.payment_reference = ${links.paymentReference}`}
    ${links.paidBy ? sql`and l.paid_network = ${links.paidBy.network} and l.paid_token = ${links.paidBy.token}` : sql``}
    ${amount ? sql`and ${inAmountRange(amount)}` : sql``}
    ${seller ? sql`and ${seller.kind === "form" ? sql`l.form_id` : sql`l.pos_device_id`} = ${seller.id}` : sql``}
    ${customerEmail === undefined ? sql`` : sql`and lower(l.customer_email) = ${customerEmail}`}
    ${from ? sql`and l.created_at >= ${from.toISOString()}::timestamptz` : sql``}
    ${to ? sql`and l.created_at < ${to.toISOString()}::timestamptz` : sql``}
    ${before === null ? sql`` : sql`and (l.created_at, l.id) < (${before.createdAt.toISOString()}::timestamptz, ${before.id}::bigint)`}`;
}

/** A condition that a column is the text, or begins with it. Each has an index of the same expression, by its first characters. */
const matches = (column: SQL, text: string, isWhole: boolean) =>
  isWhole ? sql`${column} = ${text}` : sql`${column} like ${likePrefix(text)}`;

/**
 * One condition for each thing that the text may be. `beginnings` are those whose first characters old links alone may have: shops count their
 * orders up, and customers buy several times in a row.
 */
function listConditions(
  { merchantId, env }: SearchedLinks,
  terms: SearchTerms,
): { readonly beginnings: readonly Beginning[]; readonly others: readonly SQL[] } {
  const { isWhole, refid, reference, email, name, amounts, hashes, addresses: texts } = terms;
  const begins = (column: SQL, text: string) => matches(column, text, isWhole);
  const beginning = (column: SQL, text: string) => ({ column, begins: begins(column, text) });
  const beginsAny = (column: SQL, of: readonly string[]) =>
    sql`(${sql.join(
      of.map((text) => begins(column, text)),
      sql` or `,
    )})`;
  const paying = (condition: SQL) =>
    sql`l.id in (select w.payment_link_id from ${paymentLinkWallets} w ${condition})`;
  const [first, last] = [sql`lower(l.customer_first_name)`, sql`lower(l.customer_last_name)`];
  return {
    beginnings: [
      beginning(sql`l.payment_reference`, reference),
      ...(email === null ? [] : [beginning(sql`lower(l.customer_email)`, email)]),
      ...(name === null ? [] : [first, last].map((column) => beginning(column, name.whole))),
    ],
    others: [
      ...(refid === null ? [] : [sql`l.refid = ${refid}`]),
      ...(name?.split ? [sql`${begins(last, name.split.last)} and ${first} = ${name.split.first}`] : []),
      ...amounts.map(
        ({ units, currencies }) =>
          sql`l.amount = ${units}::numeric and l.currency = any(${sqlArray(currencies, "text")})`,
      ),
      ...(hashes.length === 0
        ? []
        : [
            paying(sql`join ${deposits} d on d.address_id = w.address_id
            where d.merchant_id = ${merchantId} and d.env = ${env} and ${beginsAny(sql`d.tx_hash`, hashes)}`),
          ]),
      ...(texts.length === 0
        ? []
        : [
            paying(sql`join ${addresses} a on a.id = w.address_id
            where a.merchant_id = ${merchantId} and a.env = ${env} and ${beginsAny(sql`a.address`, texts)}`),
          ]),
    ],
  };
}
