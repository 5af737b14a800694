import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { countMatching, findWithdrawalByRefid, selectPage } from "./store.ts";
import type { WithdrawalFilter, WithdrawalRow } from "./types.ts";

/** Newest first; `before`: only those with a lower id. */
export function listWithdrawals(
  db: Db,
  filter: WithdrawalFilter,
  page: { readonly before: number | null; readonly limit: number },
): Promise<WithdrawalRow[]> {
  return selectPage(db, filter, page);
}

export function countWithdrawals(db: Db, filter: WithdrawalFilter): Promise<number> {
  return countMatching(db, filter);
}

/** null: none of this merchant's in this environment. */
export function findWithdrawal(
  db: Db,
  env: Env,
  merchantId: number,
  refid: string,
): Promise<WithdrawalRow | null> {
  return findWithdrawalByRefid(db, env, refid, merchantId);
}
