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
  /** How long the request waits for an earlier one with its key, in milliseconds. */
  readonly waitMs: number;
}

export interface StoredResponse {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly response: string | null;
}

/**
 * From now on in this transaction, a lock wait longer than `limit` ("10000ms") is an error (55P03). Returns the
 * previous limit.
 */
export async function setLockTimeout(tx: Tx, limit: string): Promise<string> {
  const limited = await tx.execute<{ previous: string }>(sql`
    with previous_setting as materialized (select current_setting('lock_timeout') as previous)
    select previous, set_config('lock_timeout', ${limit}, true) from previous_setting`);
  return limited.rows[0]?.previous ?? "0";
}

/**
 * Claims a key that is new or was last used before `expiredBefore`. Returns true if this request has the key
 * now. Waits while another transaction uses the same key. After the claim, `lockWaitAfter` limits the lock
 * waits of the transaction. It is set in the same statement because a separate query would cost every
 * creation a round trip.
 */
export async function claimKey(
  tx: Tx,
  claim: IdempotencyClaim,
  options: { readonly now: Date; readonly expiredBefore: Date; readonly lockWaitAfter: string },
): Promise<boolean> {
  const { now, expiredBefore, lockWaitAfter } = options;
  const newUse = { requestHash: claim.requestHash, status: null, response: null, createdAt: now };
  const claimed = await tx
    .insert(idempotencyKeys)
    .values({ merchantId: claim.merchantId, env: claim.env, key: claim.key, ...newUse })
    .onConflictDoUpdate({
      target: [idempotencyKeys.merchantId, idempotencyKeys.env, idempotencyKeys.key],
      set: newUse,
      setWhere: lte(idempotencyKeys.createdAt, expiredBefore),
    })
    .returning({ lockWait: sql`set_config('lock_timeout', ${lockWaitAfter}, true)` })
    .prepare("claim_idempotency_key")
    .execute();
  return claimed.length > 0;
}

export async function findStoredResponse(tx: Tx, claim: IdempotencyClaim): Promise<StoredResponse | null> {
  const [found] = await tx
    .select({
      requestHash: idempotencyKeys.requestHash,
      status: idempotencyKeys.status,
      response: idempotencyKeys.response,
    })
    .from(idempotencyKeys)
    .where(isSameKey(claim));
  return found ?? null;
}

export async function updateStoredResponse(
  tx: Tx,
  claim: IdempotencyClaim,
  status: number,
  response: string,
): Promise<void> {
  const update = tx.update(idempotencyKeys).set({ status, response }).where(isSameKey(claim));
  await update.prepare("update_idempotent_response").execute();
}

/** Deletes up to `limit` of the oldest keys that were last used at `usedBefore` or earlier and are not in use. Returns how many. */
export async function deleteKeysUsedBefore(db: Db, usedBefore: Date, limit: number): Promise<number> {
  const deleted = await db.execute(sql`
    with old as (
      select merchant_id, env, key from ${idempotencyKeys} where created_at <= ${usedBefore.toISOString()}::timestamptz
      order by created_at limit ${limit} for update skip locked
    )
    delete from ${idempotencyKeys} k using old
    where k.merchant_id = old.merchant_id and k.env = old.env and k.key = old.key`);
  return deleted.rowCount ?? 0;
}

function isSameKey(claim: IdempotencyClaim) {
  return and(
    eq(idempotencyKeys.merchantId, claim.merchantId),
    eq(idempotencyKeys.env, claim.env),
    eq(idempotencyKeys.key, claim.key),
  );
}
