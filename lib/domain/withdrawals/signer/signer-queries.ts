import { and, asc, count, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { statusLiterals } from "#lib/domain/withdrawal-status.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import { isOpen } from "../queries.ts";
import { outgoingTransactions, signerAccounts, withdrawalHolds, withdrawals } from "../tables.ts";
import type { OutgoingRow, SignerAccount, WithdrawalHold, WithdrawalRow } from "../types.ts";

/** The accounts that the signer pays from, as it said last. */
export function listSignerAccounts(db: Db, env: Env): Promise<SignerAccount[]> {
  return db
    .select()
    .from(signerAccounts)
    .where(eq(signerAccounts.env, env))
    .orderBy(asc(signerAccounts.network));
}

/** The stored bytes of a transaction of the signer. Null if it is not stored. */
export async function findOutgoingRaw(
  db: Db,
  { env, network, hash }: Pick<OutgoingRow, "env" | "network" | "hash">,
): Promise<string | null> {
  const table = outgoingTransactions;
  const [row] = await db
    .select({ raw: table.raw })
    .from(table)
    .where(and(eq(table.env, env), eq(table.network, network), eq(table.hash, hash)));
  return row?.raw ?? null;
}

/** Returns those of the hashes whose transactions are not stored. */
export async function listMissingHashes(
  db: Db,
  { env, network }: Pick<OutgoingRow, "env" | "network">,
  hashes: readonly string[],
): Promise<string[]> {
  if (hashes.length === 0) return [];
  const { rows } = await db.execute<{ hash: string }>(sql`
    select g.hash from unnest(${sql.param(hashes)}::text[]) as g (hash)
    where not exists (
      select from outgoing_transactions o where o.env = ${env} and o.network = ${network} and o.hash = g.hash)`);
  return rows.map(({ hash }) => hash);
}

/** A payment that the signer has made. */
export interface SignedPayment
  extends Pick<WithdrawalRow, "refid" | "merchantId" | "network" | "token" | "amount"> {
  readonly to: string;
  readonly txHash: string;
  /** It is in a final block, and moved the amount. */
  readonly isFinal: boolean;
}

/**
 * Returns those payments for which the merchant has no withdrawal: one with the reference that has the transaction, or that asks for the same.
 * Another merchant can take a reference, and the same request can ask for something else after a restore. A withdrawal that has failed
 * accounts for no payment that is final. `isEnteredAgain`: the merchant has another withdrawal with the same payment's transaction.
 */
export async function listMissingWithdrawals<P extends SignedPayment>(
  db: Db,
  env: Env,
  payments: readonly P[],
): Promise<(P & { readonly isEnteredAgain: boolean })[]> {
  if (payments.length === 0) return [];
  const column = <Key extends keyof SignedPayment>(key: Key) => payments.map((payment) => payment[key]);
  const { rows } = await db.execute<{ place: string; is_entered_again: boolean }>(sql`
    select g.place, exists (
        select from withdrawals w where w.env = ${env} and w.network = g.network and w.tx_hash = g.tx_hash and w.to_address = g.to_address
          and w.merchant_id = g.merchant_id and w.token = g.token and w.amount = g.amount
          and w.status in ${statusLiterals(["processing", "completed"])}
      ) as is_entered_again from unnest(
      ${sqlArray(column("refid"), "text")}, ${sqlArray(column("merchantId"), "bigint")},
      ${sqlArray(column("network"), "text")}, ${sqlArray(column("token"), "text")},
      ${sqlArray(column("amount"), "numeric")}, ${sqlArray(column("to"), "text")},
      ${sqlArray(column("txHash"), "text")}, ${sqlArray(column("isFinal"), "boolean")}
    ) with ordinality as g (refid, merchant_id, network, token, amount, to_address, tx_hash, is_final, place)
    where not exists (
      select from withdrawals w where w.env = ${env} and w.refid = g.refid and w.merchant_id = g.merchant_id
        and not (g.is_final and w.status in ${statusLiterals(["failed", "refund_queued"])})
        and (w.transactions @> jsonb_build_array(jsonb_build_object('hash', g.tx_hash))
          or (w.network = g.network and w.token = g.token and w.amount = g.amount and w.to_address = g.to_address)))`);
  const enteredAgain = new Map(rows.map((row) => [Number(row.place) - 1, row.is_entered_again]));
  return payments.flatMap((payment, place) => {
    const isEnteredAgain = enteredAgain.get(place);
    return isEnteredAgain === undefined ? [] : { ...payment, isEnteredAgain };
  });
}

/** Why the signer does not pay each withdrawal, by its reference. */
export async function listHoldReasons(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .select({ refid: withdrawals.refid, reason: withdrawalHolds.reason })
    .from(withdrawalHolds)
    .innerJoin(withdrawals, eq(withdrawals.id, withdrawalHolds.withdrawalId));
  return new Map(rows.map(({ refid, reason }) => [refid, reason]));
}

/** Why the signer does not pay a pending withdrawal. Null if it has not said, or it is not pending any more. */
export async function findHold(
  db: Db | Tx,
  { id, status }: Pick<WithdrawalRow, "id" | "status">,
): Promise<WithdrawalHold | null> {
  if (status !== "pending") return null;
  const { reason, since } = withdrawalHolds;
  const [row] = await db
    .select({ reason, since })
    .from(withdrawalHolds)
    .where(eq(withdrawalHolds.withdrawalId, id));
  return row ?? null;
}

/** A pending withdrawal that the signer does not pay. */
export type HeldWithdrawal = WithdrawalRow & WithdrawalHold;

/** Lists withdrawals that the signer does not pay, newest first. `reason`: null for any. `before`: only those with a lower id. */
export function listHeldWithdrawals(
  db: Db,
  { env, reason }: { readonly env: Env; readonly reason: string | null },
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<HeldWithdrawal[]> {
  return db
    .select({
      ...getTableColumns(withdrawals),
      email: merchants.email,
      reason: withdrawalHolds.reason,
      since: withdrawalHolds.since,
    })
    .from(withdrawalHolds)
    .innerJoin(withdrawals, eq(withdrawals.id, withdrawalHolds.withdrawalId))
    .innerJoin(merchants, eq(merchants.id, withdrawals.merchantId))
    .where(
      and(
        eq(withdrawals.env, env),
        eq(withdrawals.status, "pending"),
        reason === null ? undefined : eq(withdrawalHolds.reason, reason),
        before === null ? undefined : lt(withdrawalHolds.withdrawalId, before),
      ),
    )
    .orderBy(desc(withdrawalHolds.withdrawalId))
    .limit(limit);
}

/** How many pending withdrawals the signer does not pay, by reason, the most first. */
export async function countHolds(
  db: Db,
  env: Env,
): Promise<readonly { readonly reason: string; readonly count: number }[]> {
  const { reason } = withdrawalHolds;
  return db
    .select({ reason, count: count() })
    .from(withdrawalHolds)
    .innerJoin(withdrawals, eq(withdrawals.id, withdrawalHolds.withdrawalId))
    .where(and(eq(withdrawals.env, env), eq(withdrawals.status, "pending")))
    .groupBy(reason)
    .orderBy(desc(count()), asc(reason));
}

/** Counts a merchant's withdrawals that the signer does not pay, up to `limit`. */
export async function countHeld(
  db: Db,
  { merchantId, env, limit }: { readonly merchantId: number; readonly env: Env; readonly limit: number },
): Promise<number> {
  const isOwn = and(
    eq(withdrawals.merchantId, merchantId),
    eq(withdrawals.env, env),
    isOpen,
    eq(withdrawals.status, "pending"),
  );
  const held = await db
    .select({ id: withdrawals.id })
    .from(withdrawals)
    .innerJoin(withdrawalHolds, eq(withdrawalHolds.withdrawalId, withdrawals.id))
    .where(isOwn)
    .limit(limit);
  return held.length;
}
