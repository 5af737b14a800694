import { and, eq } from "drizzle-orm";
import type { Tx } from "#lib/platform/db/connection.ts";
import { members, savedViews } from "./tables.ts";

/** Keeps a person's membership until the transaction ends. False if they are not a member. */
export async function lockMembership(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
): Promise<boolean> {
  const found = await tx
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.merchantId, merchantId), eq(members.userId, userId)))
    .for("key share");
  return found.length > 0;
}

/** Stores a view. A view of the same name and environment gets the new filter. Returns the id. */
export async function upsertView(tx: Tx, view: typeof savedViews.$inferInsert): Promise<number> {
  const { merchantId, userId, env, name } = savedViews;
  const [row] = await tx
    .insert(savedViews)
    .values(view)
    .onConflictDoUpdate({ target: [merchantId, userId, env, name], set: { query: view.query } })
    .returning({ id: savedViews.id });
  if (row === undefined) throw new Error("a stored view was not returned");
  return row.id;
}

/** Deletes a person's view. False if they have no such view. */
export async function deleteView(tx: Tx, userId: number, id: number): Promise<boolean> {
  const deleted = await tx
    .delete(savedViews)
    .where(and(eq(savedViews.id, id), eq(savedViews.userId, userId)))
    .returning({ id: savedViews.id });
  return deleted.length > 0;
}
