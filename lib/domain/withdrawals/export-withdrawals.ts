import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { readBackwards } from "#lib/platform/db/read-backwards.ts";
import { listWithdrawals } from "./queries.ts";
import type { WithdrawalRow } from "./types.ts";

/** A merchant's withdrawals that were created from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export function exportWithdrawals(
  db: Db,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly WithdrawalRow[]> {
  const filter = { env, merchantId, status: null, createdBefore: to };
  return readBackwards(
    (page) => listWithdrawals(db, filter, page),
    (row) => row,
    from,
  );
}
