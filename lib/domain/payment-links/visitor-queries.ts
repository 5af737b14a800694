import { and, count, gt, gte, lte, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { VisitorCount } from "./visitor-rules.ts";

/** The bytes at the beginning of a visitor's hash that all visitors of its site have. */
export const SITE_BYTES = 16;

/** A table of what visitors begin. Its index has the hash first. */
type VisitorTable = PgTable & { readonly visitor: AnyPgColumn; readonly createdAt: AnyPgColumn };

/** Counts the rows since `since` of a visitor, by its hash (hashVisitor), and of its site. */
export async function countOfVisitor(
  db: Db | Tx,
  table: VisitorTable,
  visitor: Buffer,
  since: Date,
): Promise<VisitorCount> {
  const site = visitor.subarray(0, SITE_BYTES);
  const end = (byte: number) => Buffer.concat([site, Buffer.alloc(SITE_BYTES, byte)]);
  const isOfSite = and(gte(table.visitor, end(0x00)), lte(table.visitor, end(0xff)));
  const ofVisitor = sql<string>`count(*) filter (where ${table.visitor} = ${visitor})`.mapWith(Number);
  const [row] = await db
    .select({ ofSite: count(), ofVisitor })
    .from(table)
    .where(and(isOfSite, gt(table.createdAt, since)));
  return row ?? { ofSite: 0, ofVisitor: 0 };
}
