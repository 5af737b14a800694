import { eq, sql } from "drizzle-orm";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { paymentLinks } from "./tables.ts";

/** What a picture of a link depends on. */
export interface LinkStamp {
  readonly version: number;
  readonly expiresAt: Date;
  readonly merchantUpdatedAt: Date;
}

/** Asked with every look at a picture: built and planned once. */
const stampOf = oncePerDatabase((db) =>
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

export async function readStamp(db: Db, refid: string): Promise<LinkStamp | null> {
  const [row] = await stampOf(db).execute({ refid });
  return row ?? null;
}

export function readVersions(
  db: Db | Tx,
  refids: readonly string[],
): Promise<{ refid: string; version: number }[]> {
  return db
    .select({ refid: paymentLinks.refid, version: paymentLinks.version })
    .from(paymentLinks)
    .where(sql`${paymentLinks.refid} = any(${sql.param([...refids])}::text[])`);
}
