import { createHash } from "node:crypto";
import { type Db, isLockTimeout, type Tx } from "#lib/platform/db/connection.ts";
import { inRounds } from "#lib/platform/db/in-rounds.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import type { Once } from "#lib/platform/db/once.ts";
import { type ApiResponse, type ApiSuccess, toApiResponse } from "./envelope.ts";
import { type ApiFailure, failure } from "./errors.ts";
import {
  type AnsweredClaim,
  claimKey,
  claimNewKeys,
  deleteClaimedKeys,
  deleteKeysUsedBefore,
  findStoredResponse,
  type IdempotencyClaim,
  lockKey,
  setLockTimeout,
  updateStoredResponse,
} from "./idempotency-store.ts";

const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Old keys that one statement deletes. */
const KEYS_AT_ONCE = 1_000;
/** How long a request waits for an earlier one with its key. */
export const IDEMPOTENCY_WAIT_MS = 10_000;
const MAX_LENGTH = 255;
/** In place of a response with a secret. */
const NOT_KEPT = "";

/** The Idempotency-Key of a request, or null without one. */
export function readIdempotencyKey(headers: Headers): { ok: true; key: string | null } | ApiFailure {
  const key = headers.get("idempotency-key") ?? "";
  return key.length > MAX_LENGTH ? failure("idempotency_key_too_long") : { ok: true, key: key || null };
}

/** Two requests are the same if method, path (with its query) and body are equal byte for byte. */
export function hashRequest(
  { method, url }: { readonly method: string; readonly url: string },
  body: Uint8Array,
): Buffer {
  const { pathname, search } = new URL(url);
  return createHash("sha256").update(`${method} ${pathname}${search}\n`).update(body).digest();
}

interface Creation {
  /** Creates in a transaction of its own, or in the pool without a claim. `afterwards` runs work once that has ended. */
  alone(db: Db | Tx, afterwards: (work: () => Promise<void>) => void): Promise<ApiSuccess | ApiFailure>;
  /** Creates in a transaction that several requests share. False: nothing has happened. Absent: it cannot share one. */
  readonly together: ((once: Once) => Promise<boolean>) | undefined;
  /** The answer of `together`. */
  readonly done: ApiSuccess;
}

/**
 * Runs a creation and returns its response. With a claim, everything happens in one transaction that inserts
 * the row of the key first. Another request with the same key waits for the end of this transaction and then
 * gets the same response, for 24 hours. Only successes are stored. A failure rolls back everything,
 * including the key. A response with a secret is not stored: it runs again, and returns what it created before.
 *
 * A creation that can share a transaction is first tried there. This does nothing if the key is not new or the creation is
 * refused. Then it runs alone, which finds out why, or waits.
 */
export async function runIdempotently(
  db: Db,
  claim: IdempotencyClaim | null,
  now: Date,
  { alone, together, done }: Creation,
): Promise<ApiResponse> {
  if (claim !== null && together !== undefined) {
    const response = toApiResponse(done);
    const { status, body } = response;
    if (await together(new OncePerKey({ ...claim, now, status, response: body }))) return response;
  }
  const pending: (() => Promise<void>)[] = [];
  const create = (on: Db | Tx) => alone(on, (work) => void pending.push(work));
  const response = claim === null ? toApiResponse(await create(db)) : await runOnce(db, claim, now, create);
  for (const work of pending) await work();
  return response;
}

async function runOnce(
  db: Db,
  claim: IdempotencyClaim,
  now: Date,
  create: (tx: Tx) => Promise<ApiSuccess | ApiFailure>,
): Promise<ApiResponse> {
  const result = await inTransaction(db, async (tx) => {
    const earlier = await findEarlierResponse(tx, claim, now);
    if (earlier !== null) return earlier;
    const created = await create(tx);
    if (!created.ok) return created;
    const response = toApiResponse(created);
    await updateStoredResponse(tx, claim, response.status, created.isSecret ? NOT_KEPT : response.body);
    return { ok: true, response } as const;
  });
  return result.ok ? result.response : toApiResponse(result);
}

class OncePerKey implements Once {
  readonly #claim: AnsweredClaim;
  constructor(claim: AnsweredClaim) {
    this.#claim = claim;
  }

  async claim(tx: Tx, all: readonly OncePerKey[]): Promise<ReadonlySet<Once>> {
    const claimed = new Set(
      await claimNewKeys(
        tx,
        all.map((one) => one.#claim),
      ),
    );
    return new Set(all.filter((one) => claimed.has(one.#claim)));
  }

  async release(tx: Tx, refused: readonly OncePerKey[]): Promise<void> {
    const claims = refused.map((one) => one.#claim);
    await deleteClaimedKeys(tx, claims);
  }
}

/** Deletes the keys that are older than 24 hours. False if `until` aborted before the last. */
export function deleteExpiredIdempotencyKeys(db: Db, now: Date, until?: AbortSignal): Promise<boolean> {
  const usedBefore = new Date(now.getTime() - KEY_LIFETIME_MS);
  return inRounds(KEYS_AT_ONCE, (limit) => deleteKeysUsedBefore(db, usedBefore, limit), until);
}

/** The response stored for this key, or null: then this request has claimed the key. */
async function findEarlierResponse(
  tx: Tx,
  claim: IdempotencyClaim,
  now: Date,
): Promise<{ ok: true; response: ApiResponse } | ApiFailure | null> {
  let previousLimit: string;
  try {
    previousLimit = await lockKey(tx, claim);
    const expiredBefore = new Date(now.getTime() - KEY_LIFETIME_MS);
    if (await claimKey(tx, claim, { now, expiredBefore, lockWaitAfter: previousLimit })) return null;
  } catch (error) {
    if (isLockTimeout(error)) {
      return failure("idempotency_key_in_progress");
    }
    throw error;
  }
  const stored = await findStoredResponse(tx, claim);
  if (stored?.response == null) return failure("idempotency_key_in_progress");
  if (!stored.requestHash.equals(claim.requestHash)) return failure("idempotency_key_reused");
  if (stored.response === NOT_KEPT) {
    await setLockTimeout(tx, previousLimit);
    return null;
  }
  return { ok: true, response: { status: 200, body: stored.response } };
}
