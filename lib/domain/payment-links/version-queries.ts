import { eq, sql } from "drizzle-orm";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { createBatcher } from "#lib/platform/db/batching.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { isRefid } from "./refid.ts";
import { paymentLinks } from "./tables.ts";

/** A link's new version, and whose link it is. */
export interface LinkChange {
  readonly refid: string;
  readonly version: number;
  /** The merchant of the link. Null: a process of the version before notified. */
  readonly owner: { readonly merchantId: number; readonly env: Env } | null;
}

/** Parses a notification of CHANNELS.linkChanges: "<refid>:<version>:<merchant id>:<env>". null if it is malformed. */
export function parseLinkChange(payload: string): LinkChange | null {
  const match = /^([^:]+):([0-9]{1,15})(?::([0-9]{1,15}):([a-z]+))?$/.exec(payload);
  const [, refid, version, merchantId, env] = match ?? [];
  if (match === null || !isRefid(refid)) return null;
  const known = ENVS.find((one) => one === env);
  const owner = known === undefined ? null : { merchantId: Number(merchantId), env: known };
  return { refid, version: Number(version), owner };
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
