import { createHash, randomInt } from "node:crypto";
import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { insertWithdrawal, isTakenByOther, type NewWithdrawal } from "../store.ts";
import type { Withdrawal } from "../types.ts";

/** The identity of a request for a withdrawal. A request that is repeated after a restore from a backup has the same one. */
interface Asked {
  readonly env: Env;
  readonly merchantId: number;
  /** Null if nothing names the request. */
  readonly source: string | null;
}

/**
 * The reference of a withdrawal: 16 digits, which reveal nothing about the number of withdrawals. It follows from what asked for it, so that
 * the same request after a restore from a backup is the same withdrawal, which the signer's journal knows.
 */
export function makeRefid({ env, merchantId, source }: Asked): string {
  if (source === null) {
    const half = () => randomInt(10_000_000, 100_000_000);
    return `${half()}${half()}`;
  }
  const hash = createHash("sha256")
    .update(JSON.stringify(["withdrawal", env, merchantId, source]))
    .digest();
  return String(10n ** 15n + (hash.readBigUInt64BE() % (9n * 10n ** 15n)));
}

/**
 * Inserts the withdrawal with the reference of what asked for it, or with a random one if another merchant has that: it can be computed, so
 * somebody could take it first. null if the merchant has one with this idempotency key.
 */
export async function insertNamed(
  tx: Tx,
  values: Omit<NewWithdrawal, "refid">,
  source: string | null,
  now: Date,
): Promise<Withdrawal | null> {
  const { env, merchantId } = values;
  const refid = makeRefid({ env, merchantId, source });
  const row = await insertWithdrawal(tx, { ...values, refid }, now);
  if (row !== null || !(await isTakenByOther(tx, { refid, merchantId }))) return row;
  return insertWithdrawal(tx, { ...values, refid: makeRefid({ env, merchantId, source: null }) }, now);
}
