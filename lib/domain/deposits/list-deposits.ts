import type { Db } from "#lib/platform/db/connection.ts";
import { countRecords, selectRecords } from "./queries.ts";
import type { DepositOwner, DepositRow, ListedDepositStatus } from "./types.ts";

/** A merchant's deposits in these statuses, newest first, below the id `before`. */
export function listDeposits(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly DepositRow[]> {
  return selectRecords(db, owner, statuses, page);
}

/** How many there are. */
export function countDeposits(
  db: Db,
  owner: DepositOwner,
  statuses: readonly ListedDepositStatus[],
): Promise<number> {
  return countRecords(db, owner, statuses);
}
