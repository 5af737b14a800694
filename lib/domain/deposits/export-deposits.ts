import type { Env } from "#lib/chains/network-data.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { listRecordedDeposits, type RecordedDeposit } from "./recorded-queries.ts";

const AT_ONCE = 500;
/** Ids and times are from concurrent transactions: their order differs by less than this. */
const OVERLAP_MS = 3_600_000;

/** A merchant's deposits that were recorded from `from` (included) to `to` (excluded), newest first, in parts that are read on demand. */
export async function* exportDeposits(
  db: Db,
  { env, merchantId }: { readonly env: Env; readonly merchantId: number },
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<readonly RecordedDeposit[]> {
  const filter = { env, merchantId, status: null, createdBefore: to };
  let before: number | null = null;
  for (;;) {
    const page: readonly RecordedDeposit[] = await listRecordedDeposits(db, filter, {
      before,
      limit: AT_ONCE,
    });
    const part = page.filter(({ deposit }) => deposit.createdAt >= from);
    if (part.length > 0) yield part;
    const last = page.at(-1)?.deposit;
    if (last === undefined || page.length < AT_ONCE) return;
    if (last.createdAt.getTime() < from.getTime() - OVERLAP_MS) return;
    before = last.id;
  }
}
