import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { matchesFilter } from "../link-filter.ts";
import { listPaymentTotals } from "../payment-queries.ts";
import { paymentLinks } from "../tables.ts";
import type { LinkFilter } from "../types.ts";
import { composeRecord, type PaymentLinkRecord } from "./compose-view.ts";
import type { StoredLinkDeps } from "./read-payment-links.ts";
import { getSnapshots, groupByLink } from "./snapshot.ts";

/** The links of a plugin's list. */
export interface RecordFilter extends LinkFilter {
  /** With one of these references. Absent: with any. */
  readonly paymentReferences?: readonly string[];
  /** With this whole text as refid, reference or e-mail address. Absent: with any. */
  readonly text?: string;
}

/** One condition for each place where a link is found. Each is one range of an index in the order of the list, where the text or the state has one. */
function listConditions({ paymentReferences, text, anyOf }: RecordFilter): (SQL | undefined)[] {
  const { refid, paymentReference, customerEmail, state, reason } = paymentLinks;
  const references = paymentReferences?.map((one) => eq(paymentReference, one)) ?? [undefined];
  const texts =
    text === undefined
      ? [undefined]
      : [eq(refid, text), eq(paymentReference, text), eq(sql`lower(${customerEmail})`, text.toLowerCase())];
  const found = references.flatMap((one) => texts.map((other) => and(one, other)));
  if (paymentReferences !== undefined || text !== undefined || anyOf === undefined) return found;
  return anyOf.map((one) =>
    and(eq(state, one.state), one.reason === undefined ? undefined : eq(reason, one.reason)),
  );
}

/** Ids of the links that pass, newest first. */
async function listIds(
  tx: Tx,
  filter: RecordFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<{ id: number; expiresAt: Date }[]> {
  const { id, createdAt, expiresAt } = paymentLinks;
  const branches = listConditions(filter).map(
    (condition) =>
      sql`(${tx
        .select({ id, createdAt })
        .from(paymentLinks)
        .where(and(matchesFilter(filter), condition))
        .orderBy(desc(createdAt), desc(id))
        .limit(skip + take)})`,
  );
  if (branches.length === 0) return [];
  const page = sql`(select id from (${sql.join(branches, sql` union `)}) as found
    order by created_at desc, id desc offset ${skip} limit ${take})`;
  return tx
    .select({ id, expiresAt })
    .from(paymentLinks)
    .where(sql`${id} in ${page}`)
    .orderBy(desc(createdAt), desc(id));
}

/** Lists links with their payments, newest first. A few queries, however many links. */
export async function listLinkRecords(
  deps: StoredLinkDeps,
  filter: RecordFilter,
  page: { readonly skip: number; readonly take: number },
  now: Date,
): Promise<PaymentLinkRecord[]> {
  return deps.db.transaction(
    async (tx) => {
      const links = await listIds(tx, filter, page);
      const totals = groupByLink(await listPaymentTotals(tx, links));
      const snapshots = await getSnapshots(
        tx,
        new Map(links.map((link) => [link.id, totals.get(link.id) ?? []])),
      );
      return links.flatMap((link) => {
        const snapshot = snapshots.get(link.id);
        return snapshot === undefined ? [] : [composeRecord(snapshot, deps, now)];
      });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}
