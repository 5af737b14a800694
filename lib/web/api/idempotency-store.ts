import { createHash } from "node:crypto";
import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { arrayParameter, namedStatement, type SqlArrayType, sqlArray } from "#lib/platform/db/statements.ts";
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

/** The advisory lock of an Idempotency-Key. With fewer bits a merchant could find many keys of one number, which wait for each other. */
const lockNumber = ({ merchantId, env, key }: IdempotencyClaim): string =>
  createHash("sha256")
    .update(`idempotency key ${merchantId} ${env} ${key}`)
    .digest()
    .readBigInt64BE(0)
    .toString();

/** How long a batch waits for a row that an earlier version of the program writes: it takes no advisory lock. */
const FOREIGN_ROW_MS = 500;

/** Common table expressions: `limited` limits lock waits of the transaction from now on, and has the previous limit. */
const limited = (limit: SQL): SQL => sql`
  previous_setting as materialized (select current_setting('lock_timeout') as previous),
  limited as materialized (select previous, set_config('lock_timeout', ${limit}, true) from previous_setting)`;

/**
 * Locks a key until the transaction ends. Waits for another transaction that has locked it. From now on in this transaction, a lock wait
 * that is longer than the claim allows is an error (55P03). Returns the previous limit.
 */
export async function lockKey(tx: Tx, claim: IdempotencyClaim): Promise<string> {
  const { rows } = await tx.execute<{ previous: string }>(sql`
    with ${limited(sql`${`${claim.waitMs}ms`}`)}
    select previous, pg_advisory_xact_lock(${lockNumber(claim)}::bigint) from limited`);
  return rows[0]?.previous ?? "0";
}

/** From now on in this transaction, a lock wait longer than `limit` ("10000ms") is an error (55P03). */
export async function setLockTimeout(tx: Tx, limit: string): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${limit}, true)`);
}

/**
 * Claims a key that is new or was last used before `expiredBefore`. Returns true if this request has the key
 * now. The key must be locked (lockKey). After the claim, `lockWaitAfter` limits the lock
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

/** A claim with the response that it gets if it happens. */
export interface AnsweredClaim extends IdempotencyClaim {
  readonly now: Date;
  readonly status: number;
  readonly response: string;
}

const claimStatement = namedStatement<{ place: string | null }>(
  "claim_idempotency_keys",
  sql`with ${limited(sql.raw(`'${FOREIGN_ROW_MS}ms'`))},
    given as materialized (
      select u.*, pg_try_advisory_xact_lock(u.number) as is_free
      from limited cross join unnest(${arrayParameter("merchantIds", "bigint")}, ${arrayParameter("envs", "text")},
        ${arrayParameter("keys", "text")}, ${arrayParameter("hashes", "bytea")}, ${arrayParameter("statuses", "integer")},
        ${arrayParameter("responses", "text")}, ${arrayParameter("times", "timestamptz")}, ${arrayParameter("numbers", "bigint")})
        with ordinality as u(merchant_id, env, key, request_hash, status, response, created_at, number, place)
    ), inserted as (
      insert into ${idempotencyKeys} (merchant_id, env, key, request_hash, status, response, created_at)
      select merchant_id, env, key, request_hash, status, response, created_at from given where is_free
      on conflict do nothing returning merchant_id, env, key)
    select c.place, set_config('lock_timeout', previous, true) from limited left join (
      select min(g.place) as place from inserted i join given g using (merchant_id, env, key)
      group by merchant_id, env, key) c on true`,
);

/**
 * Claims the keys that are new and that no other transaction has locked, in one statement, with their responses. Keys in use
 * are left out. Returns the claims that have their keys. Throws 55P03 where a transaction without a lock writes one of them.
 */
export async function claimNewKeys(tx: Tx, claims: readonly AnsweredClaim[]): Promise<AnsweredClaim[]> {
  const rows = await claimStatement(tx, {
    merchantIds: claims.map(({ merchantId }) => merchantId),
    envs: claims.map(({ env }) => env),
    keys: claims.map(({ key }) => key),
    hashes: claims.map(({ requestHash }) => requestHash),
    statuses: claims.map(({ status }) => status),
    responses: claims.map(({ response }) => response),
    times: claims.map(({ now }) => now),
    numbers: claims.map(lockNumber),
  });
  return rows.flatMap(({ place }) => (place === null ? [] : (claims[Number(place) - 1] ?? [])));
}

/** Deletes keys that this transaction claimed. */
export async function deleteClaimedKeys(tx: Tx, claims: readonly IdempotencyClaim[]): Promise<void> {
  const list = (field: "merchantId" | "env" | "key", type: SqlArrayType) =>
    sqlArray(
      claims.map((claim) => claim[field]),
      type,
    );
  await tx.execute(sql`delete from ${idempotencyKeys} k
    using unnest(${list("merchantId", "bigint")}, ${list("env", "text")}, ${list("key", "text")}) as u(merchant_id, env, key)
    where k.merchant_id = u.merchant_id and k.env = u.env and k.key = u.key`);
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
