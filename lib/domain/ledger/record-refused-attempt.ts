import { sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import type { RefusedAttempt } from "./types.ts";

/** Refused attempts kept of each merchant and environment. */
const MAX_KEPT = 1_000;

/**
 * Records an attempt that a rule refused. History shows it as refused. Older attempts than the newest 1,000 of the
 * merchant and environment are deleted. Do not call it in the attempt's own transaction: a refusal rolls that back.
 */
export async function recordRefusedAttempt(db: Db | Tx, attempt: RefusedAttempt, now: Date): Promise<void> {
  const { env, merchantId, token, direction, amount, balance, reason } = attempt;
  await db.execute(sql`
    with added as (
      insert into refused_attempts (env, merchant_id, token, direction, amount, balance, reason, created_at)
      values (${env}, ${merchantId}, ${token}, ${direction}, ${amount.toString()}::numeric,
        ${balance.toString()}::numeric, ${reason}, ${now}::timestamptz))
    delete from refused_attempts where merchant_id = ${merchantId} and env = ${env} and id <= (
      select id from refused_attempts where merchant_id = ${merchantId} and env = ${env}
      order by id desc offset ${MAX_KEPT - 1} limit 1)`);
}
