import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { UnmatchedDeposit, UnmatchedPage } from "../types.ts";
import { countUnmatched, selectUnmatched } from "./store.ts";

/** Money that nobody was credited with, newest first: at a merchant's addresses, or, without one, at anybody's. */
export function listUnmatchedDeposits(
  db: Db,
  env: Env,
  merchantId: number | null,
  page: UnmatchedPage,
): Promise<readonly UnmatchedDeposit[]> {
  return selectUnmatched(db, env, merchantId, page);
}

/** How many there are. */
export function countUnmatchedDeposits(db: Db, env: Env, merchantId: number | null): Promise<number> {
  return countUnmatched(db, env, merchantId);
}
