import { eq, sql } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { isRefid } from "./refid.ts";
import { paymentLinks } from "./tables.ts";

/** Parses a notification of CHANNELS.linkChanges: "<refid>:<version>". null if it is malformed. */
export function parseLinkChange(payload: string): { refid: string; version: number } | null {
  const match = /^([^:]+):([0-9]{1,15})$/.exec(payload);
  const refid = match?.[1];
  if (match === null || !isRefid(refid)) return null;
  return { refid, version: Number(match[2]) };
}

/** The versions of links by refid. Links that do not exist are absent. */
export async function listLinkVersions(
  db: Db | Tx,
  refids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ refid: paymentLinks.refid, version: paymentLinks.version })
    .from(paymentLinks)
    .where(sql`${paymentLinks.refid} = any(${sqlArray(refids, "text")})`);
  return new Map(rows.map(({ refid, version }) => [refid, version]));
}

/** After a restart thousands of pages ask at once. Simultaneous lookups share a query. */
const batchedLookup = oncePerDatabase((db) =>
  createBatcher({ maxSize: 1_000, concurrency: 2 }, async (refids: readonly string[]) => {
    const versions = await listLinkVersions(db, refids);
    return refids.map((refid) => versions.get(refid) ?? null);
  }),
);

/** The link's version, read after the call. null if there is no such link. */
export async function findLinkVersion(db: Db, refid: string): Promise<number | null> {
  return batchedLookup(db)(refid);
}

/** Every request for a preview picture runs it. Prepared once. */
const stampTerms = oncePerDatabase((db) =>
  db
    .select({
      version: paymentLinks.version,
      expiresAt: paymentLinks.expiresAt,
      merchantUpdatedAt: merchants.updatedAt,
    })
    .from(paymentLinks)
    .innerJoin(merchants, eq(merchants.id, paymentLinks.merchantId))
    .where(eq(paymentLinks.refid, sql.placeholder("refid")))
    .prepare("link_stamp"),
);

/**
 * A text that changes whenever the link's preview picture would change: with the link, with its merchant's branding,
 * and at its deadline. null if there is no such link.
 */
export async function findLinkStamp(db: Db, refid: string, now: Date): Promise<string | null> {
  const [terms] = await stampTerms(db).execute({ refid });
  if (terms === undefined) return null;
  const { version, expiresAt, merchantUpdatedAt } = terms;
  return `${version}-${merchantUpdatedAt.getTime()}-${now < expiresAt ? "open" : "over"}`;
}
