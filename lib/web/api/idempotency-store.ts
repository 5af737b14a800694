import { and, eq, lte, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { idempotencyKeys } from "./tables.ts";

/** One use of an Idempotency-Key. */
export interface IdempotencyClaim {
  readonly merchantId: number;
  readonly env: Env;
  readonly key: string;
  /** SHA-256 of the request. */
  readonly requestHash: Buffer;
}

export interface StoredResponse {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly response: string | null;
}

/** From now on in this transaction, waiting this long for a lock is an error (55P03). Answers the limit until now. */
export async function setLockTimeout(tx: Tx, milliseconds: number): Promise<string> {
  const limited = await tx.execute<{ former: string }>(sql`
    with until_now as materialized (select current_setting('lock_timeout') as former)
    select former, set_config('lock_timeout', ${`${milliseconds}ms`}, true) from until_now`);
  return limited.rows[0]?.former ?? "0";
}

/**
 * Takes a key, or one that was last used before `expiredBefore`; true when it is ours now. Waits for a transaction
 * that is using the same key, however that ends. Once it is ours, what follows may wait for locks as long as
 * `lockWaitAfter` says: set along with the key, since a query of its own would cost every creation a round trip.
 */
export async function claimKey(
  tx: Tx,
  claim: IdempotencyClaim,
  now: Date,
  expiredBefore: Date,
  lockWaitAfter: string,
): Promise<boolean> {
  const fresh = { requestHash: claim.requestHash, status: null, response: null, createdAt: now };
  const taken = await tx
    .insert(idempotencyKeys)
    .values({ merchantId: claim.merchantId, env: claim.env, key: claim.key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.merchantId, idempotencyKeys.env, idempotencyKeys.key],
      set: fresh,
      setWhere: lte(idempotencyKeys.createdAt, expiredBefore),
    })
    .returning({ lockWait: sql`set_config('lock_timeout', ${lockWaitAfter}, true)` })
    .prepare("take_idempotency_key")
    .execute();
  return taken.length > 0;
}

export async function findStoredResponse(tx: Tx, claim: IdempotencyClaim): Promise<StoredResponse | null> {
  const [found] = await tx
    .select({
      requestHash: idempotencyKeys.requestHash,
      status: idempotencyKeys.status,
      response: idempotencyKeys.response,
    })
    .from(idempotencyKeys)
    .where(sameKey(claim));
  return found ?? null;
}

export async function updateStoredResponse(
  tx: Tx,
  claim: IdempotencyClaim,
  status: number,
  response: string,
): Promise<void> {
  const update = tx.update(idempotencyKeys).set({ status, response }).where(sameKey(claim));
  await update.prepare("keep_idempotent_answer").execute();
}

export async function deleteKeysUsedBefore(db: Db, usedBefore: Date): Promise<number> {
  const deleted = await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, usedBefore));
  return deleted.rowCount ?? 0;
}

function sameKey(claim: IdempotencyClaim) {
  return and(
    eq(idempotencyKeys.merchantId, claim.merchantId),
    eq(idempotencyKeys.env, claim.env),
    eq(idempotencyKeys.key, claim.key),
  );
}
