import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { readBackwards } from "#lib/platform/db/read-backwards.ts";
import { listRecordedDeposits, type RecordedDeposit } from "./recorded-queries.ts";

/** A merchant's deposits that were recorded from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export function exportDeposits(
  db: Db,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly RecordedDeposit[]> {
  const filter = { env, merchantId, status: null, createdBefore: to };
  return readBackwards(
    (page) => listRecordedDeposits(db, filter, page),
    ({ deposit }) => deposit,
    from,
  );
}
