import { and, asc, eq } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { savedViews } from "./tables.ts";

/** A filter of the list of payments that a member keeps. */
export interface SavedView {
  readonly id: number;
  readonly env: Env;
  readonly name: string;
  /** The filter as the query of the list's URL. */
  readonly query: string;
}

/** The views that a person has saved at a merchant, by name. At most MAX_VIEWS. */
export function listViews(
  db: Db | Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
): Promise<SavedView[]> {
  const { id, env, name, query } = savedViews;
  return db
    .select({ id, env, name, query })
    .from(savedViews)
    .where(and(eq(savedViews.merchantId, merchantId), eq(savedViews.userId, userId)))
    .orderBy(asc(name), asc(id));
}
