import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
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

/** Lists links with their payments, newest first. A few queries, however many links. */
export async function listLinkRecords(
  deps: StoredLinkDeps,
  filter: RecordFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
  now: Date,
): Promise<PaymentLinkRecord[]> {
  const { paymentReferences, text } = filter;
  const { id, refid, paymentReference, customerEmail, createdAt, expiresAt } = paymentLinks;
  const hasText =
    text === undefined
      ? undefined
      : or(eq(refid, text), eq(paymentReference, text), eq(sql`lower(${customerEmail})`, text.toLowerCase()));
  const hasReference =
    paymentReferences === undefined ? undefined : inArray(paymentReference, [...paymentReferences]);
  return deps.db.transaction(
    async (tx) => {
      const links = await tx
        .select({ id, expiresAt })
        .from(paymentLinks)
        .where(and(matchesFilter(filter), hasReference, hasText))
        .orderBy(desc(createdAt), desc(id))
        .offset(skip)
        .limit(take);
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
