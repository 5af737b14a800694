import type { Tx } from "#lib/platform/db/connection.ts";
import type { BlockRange, NetworkScope } from "../types.ts";
import { deleteGap } from "./cursor-store.ts";

/**
 * Ends the alarm about blocks that were never read: the operator has checked them or does not need them. Joins the
 * caller's transaction.
 */
export async function acceptGap(
  tx: Tx,
  scope: NetworkScope,
  now: Date,
): Promise<
  { readonly ok: true; readonly gap: BlockRange } | { readonly ok: false; readonly reason: "no_gap" }
> {
  const gap = await deleteGap(tx, scope, now);
  return gap === null ? { ok: false, reason: "no_gap" } : { ok: true, gap };
}
