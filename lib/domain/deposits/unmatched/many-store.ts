import { sql } from "drizzle-orm";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { depositLiteral } from "#lib/domain/deposit-status.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { isHeld, isUnlisted, type UnmatchedFilter } from "./many-queries.ts";

/** A held deposit, as the ledger needs it. */
export interface HeldDeposit {
  readonly id: number;
  readonly network: NetworkCode;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly creditRound: number;
}

/** Locks the oldest held deposits of a filter with an id above `after` until the transaction ends. */
export async function lockHeldDeposits(
  tx: Tx,
  filter: UnmatchedFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<HeldDeposit[]> {
  interface Row extends Record<string, unknown> {
    id: string;
    network: NetworkCode;
    token: TokenCode;
    amount: string;
    round: number;
  }
  const { rows } = await tx.execute<Row>(sql`
    select id, network, token, amount::text as amount, credit_round as round
    from deposits u where ${isHeld(filter)} and u.id > ${after} order by u.id limit ${limit} for update`);
  return rows.map(({ id, network, token, amount, round }) => ({
    id: Number(id),
    network,
    token,
    amount: BigInt(amount),
    creditRound: round,
  }));
}

/** Sets locked held deposits to credited, for this merchant. */
export async function creditHeldDeposits(
  tx: Tx,
  ids: readonly number[],
  merchantId: number,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    update deposits set status = ${depositLiteral("credited")}, merchant_id = ${merchantId}, updated_at = ${now.toISOString()}::timestamptz
    where id = any(${sqlArray(ids, "bigint")}) and status = ${depositLiteral("held")}`);
}

/** Marks the oldest deposits of unlisted tokens of a filter as resolved, for this merchant. Returns their ids. */
export async function resolveUnlistedDeposits(
  tx: Tx,
  filter: UnmatchedFilter,
  {
    after,
    limit,
    merchantId,
  }: { readonly after: number; readonly limit: number; readonly merchantId: number },
  now: Date,
): Promise<number[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    with some_rows as (
      select id from foreign_deposits u where ${isUnlisted(filter)} and u.id > ${after} order by u.id limit ${limit} for update)
    update foreign_deposits f set merchant_id = ${merchantId}, resolved_at = ${now.toISOString()}::timestamptz,
      updated_at = ${now.toISOString()}::timestamptz
    from some_rows s where f.id = s.id returning f.id`);
  return rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
}
