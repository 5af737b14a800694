import { createHash } from "node:crypto";
import { type Db, isDatabaseError, type Tx } from "#lib/platform/db/connection.ts";
import { type ApiResponse, type ApiSuccess, toApiResponse } from "./envelope.ts";
import { type ApiFailure, failure } from "./errors.ts";
import {
  claimKey,
  deleteKeysUsedBefore,
  findStoredResponse,
  type IdempotencyClaim,
  setLockTimeout,
  updateStoredResponse,
} from "./idempotency-store.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;
const WAIT_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";
const MAX_LENGTH = 255;

/** Carries a refusal out of a transaction, so that nothing of the refused call stays. */
class Refused extends Error {
  readonly failure: ApiFailure;
  constructor(refusal: ApiFailure) {
    super(refusal.reason);
    this.failure = refusal;
  }
}

/** The Idempotency-Key of a request, null without one. */
export function readIdempotencyKey(headers: Headers): { ok: true; key: string | null } | ApiFailure {
  const key = headers.get("idempotency-key") ?? "";
  return key.length > MAX_LENGTH ? failure("idempotency_key_too_long") : { ok: true, key: key || null };
}

/** What makes two requests the same: method, path (with its query) and body, byte for byte. */
export function hashRequest(method: string, path: string, body: Uint8Array): Buffer {
  return createHash("sha256").update(`${method} ${path}\n`).update(body).digest();
}

/**
 * Runs a creation and answers it. With a claim, all of it is one transaction in which the key's row is inserted first:
 * whoever comes with the same key waits for its end and then gets the same answer, 24 hours long. Only successes are
 * kept: a refused call is rolled back whole, its key included.
 */
export async function runOnce(
  db: Db,
  claim: IdempotencyClaim | null,
  now: Date,
  create: (db: Db | Tx) => Promise<ApiSuccess | ApiFailure>,
): Promise<ApiResponse> {
  if (claim === null) return toApiResponse(await create(db));
  try {
    return await db.transaction(async (tx) => {
      const earlier = await earlierAnswer(tx, claim, now);
      if (earlier !== null) return earlier;
      const result = await create(tx);
      if (!result.ok) throw new Refused(result);
      const created = toApiResponse(result);
      await updateStoredResponse(tx, claim, created.status, created.body);
      return created;
    });
  } catch (error) {
    if (error instanceof Refused) return toApiResponse(error.failure);
    throw error;
  }
}

/** Forgets the keys whose 24 hours are over; answers how many. */
export function deleteExpiredIdempotencyKeys(db: Db, now: Date): Promise<number> {
  return deleteKeysUsedBefore(db, new Date(now.getTime() - KEPT_MS));
}

/** The answer this key already has, or null: then the key is ours. */
async function earlierAnswer(tx: Tx, claim: IdempotencyClaim, now: Date): Promise<ApiResponse | null> {
  const usualWait = await setLockTimeout(tx, WAIT_MS);
  try {
    if (await claimKey(tx, claim, now, new Date(now.getTime() - KEPT_MS), usualWait)) return null;
  } catch (error) {
    if (isDatabaseError(error, LOCK_NOT_AVAILABLE)) {
      throw new Refused(failure("idempotency_key_in_progress"));
    }
    throw error;
  }
  const kept = await findStoredResponse(tx, claim);
  if (kept?.response == null) throw new Refused(failure("idempotency_key_in_progress"));
  if (!kept.requestHash.equals(claim.requestHash)) throw new Refused(failure("idempotency_key_reused"));
  return { status: 200, body: kept.response };
}
