import { and, eq, isNull, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkScope } from "#lib/chains/networks.ts";
import { depositLiterals } from "#lib/domain/deposit-status.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { sqlArray } from "#lib/platform/db/statements.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { deposits, foreignDeposits } from "../tables.ts";
import { MAX_OPEN_SMALL, openKey } from "./rules.ts";

/**
 * Counts the open unmatched deposits of these addresses in these tokens on one network, up to the limit, without those
 * in `exceptIds`. By openKey.
 */
export async function countOpenUnmatched(
  tx: Tx,
  { env, network }: NetworkScope,
  transfers: readonly { readonly addressId: number; readonly token: TokenCode }[],
  exceptIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const keys = [...new Map(transfers.map((one) => [openKey(one), one])).values()];
  const { rows } = await tx.execute<{ address: string; token: TokenCode; open: number }>(sql`
    select k.address_id as address, k.token, o.open
    from unnest(${sqlArray(
      keys.map(({ addressId }) => addressId),
      "bigint",
    )}, ${sqlArray(
      keys.map(({ token }) => token),
      "text",
    )}) as k(address_id, token)
    cross join lateral (
      select count(*)::integer as open from (
        select 1 from deposits d
        where d.address_id = k.address_id and d.token = k.token and d.env = ${env} and d.network = ${network}
          and d.unmatched_reason is not null and d.status in ${depositLiterals(["seen", "held"])}
          and d.id <> all(${sqlArray(exceptIds, "bigint")})
        limit ${MAX_OPEN_SMALL}) counted
    ) o`);
  return new Map(
    rows.map(({ address, token, open }) => [openKey({ addressId: Number(address), token }), open]),
  );
}

export type Deposit = typeof deposits.$inferSelect;

/** Locks a deposit of this merchant, or of any merchant or nobody (null). Returns null when there is none. */
export async function lockDeposit(
  tx: Tx,
  { id, env, merchantId }: { readonly id: number; readonly env: Env; readonly merchantId: number | null },
): Promise<Deposit | null> {
  const isOwn = merchantId === null ? undefined : eq(deposits.merchantId, merchantId);
  const found = and(eq(deposits.id, id), eq(deposits.env, env), isOwn);
  const [row] = await tx.select().from(deposits).where(found).for("update");
  return row ?? null;
}

/** Locks the deposit of an unlisted token until the transaction ends. Returns null when there is none. */
export async function lockUnlistedDeposit(tx: Tx, { id, env }: { readonly id: number; readonly env: Env }) {
  const found = and(eq(foreignDeposits.id, id), eq(foreignDeposits.env, env));
  const [row] = await tx.select().from(foreignDeposits).where(found).for("update");
  return row ?? null;
}

/** Sets a held deposit to credited, for this merchant. Throws when it is not held. */
export async function creditHeldDeposit(tx: Tx, id: number, merchantId: number, now: Date): Promise<void> {
  const updated = await tx
    .update(deposits)
    .set({ status: "credited", merchantId, updatedAt: now })
    .where(and(eq(deposits.id, id), eq(deposits.status, "held")))
    .returning({ id: deposits.id });
  if (updated.length !== 1) throw new Error(`deposit ${id} is not held`);
}

/** Marks the deposit of an unlisted token as resolved. It leaves the list of unmatched deposits. */
export async function markUnlistedDepositResolved(
  tx: Tx,
  id: number,
  merchantId: number,
  now: Date,
): Promise<void> {
  await tx
    .update(foreignDeposits)
    .set({ merchantId, resolvedAt: now, updatedAt: now })
    .where(and(eq(foreignDeposits.id, id), isNull(foreignDeposits.resolvedAt)));
}
