import type { Db } from "#lib/platform/db/connection.ts";
import { countOpenWithdrawals } from "./gauge-store.ts";

/** Withdrawals that have not ended, by status (docs/decisions.md, Withdrawals), and when the oldest was entered. */
export function measureWithdrawals(
  db: Db,
): Promise<readonly { readonly status: number; readonly count: number; readonly oldest: Date | null }[]> {
  return countOpenWithdrawals(db);
}
