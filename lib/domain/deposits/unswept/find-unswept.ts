import type { Db } from "#lib/platform/db/connection.ts";
import { listUnswept, type SweptToken, type UnsweptAddress } from "./queries.ts";
import { type LookedAt, updateDueUnswept, updateUnswept } from "./store.ts";

export type { LookedAt } from "./store.ts";

/** Addresses that are looked at again in one step. */
const MOST_DUE = 200;

/** The addresses of a token that the signer should look at next, the largest first. */
export async function findUnswept(
  db: Db,
  token: SweptToken,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<UnsweptAddress[]> {
  await updateDueUnswept(db, token, now, MOST_DUE);
  return listUnswept(db, token, limit);
}

/** Remembers what a node said about addresses, so that the next step looks at others. */
export async function recordLook(
  db: Db,
  token: SweptToken,
  found: readonly LookedAt[],
  now: Date,
): Promise<void> {
  if (found.length > 0) await updateUnswept(db, token, found, now);
}
