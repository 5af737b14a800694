import { and, count, eq } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { withdrawalAddresses, withdrawalLimits, withdrawalPolicies } from "../tables.ts";
import type { WithdrawalLimits } from "../types.ts";
import type { LimitKey } from "./limit-queries.ts";

/** Locks the limits of a token, which are made if there are none: withdrawals that count together wait for each other. */
export async function lockLimits(tx: Tx, { merchantId, env, token }: LimitKey, now: Date): Promise<void> {
  const t = withdrawalLimits;
  await tx
    .insert(t)
    .values({ merchantId, env, token, perTransfer: null, perDay: null, updatedAt: now })
    .onConflictDoNothing();
  await tx
    .select({ merchantId: t.merchantId })
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env), eq(t.token, token)))
    .for("update");
}

export async function upsertLimits(
  tx: Tx,
  { perTransfer, perDay, ...key }: LimitKey & WithdrawalLimits,
  now: Date,
) {
  const changes = { perTransfer, perDay, updatedAt: now };
  const { merchantId, env, token } = withdrawalLimits;
  await tx
    .insert(withdrawalLimits)
    .values({ ...key, ...changes })
    .onConflictDoUpdate({ target: [merchantId, env, token], set: changes });
}

export async function upsertBookSwitch(
  tx: Tx,
  { merchantId, addressBook }: { readonly merchantId: number; readonly addressBook: boolean },
  now: Date,
): Promise<void> {
  await tx
    .insert(withdrawalPolicies)
    .values({ merchantId, addressBook, updatedAt: now })
    .onConflictDoUpdate({ target: withdrawalPolicies.merchantId, set: { addressBook, updatedAt: now } });
}

export async function countBook(
  tx: Tx,
  { merchantId, env }: { readonly merchantId: number; readonly env: Env },
): Promise<number> {
  const t = withdrawalAddresses;
  const [row] = await tx
    .select({ total: count() })
    .from(t)
    .where(and(eq(t.merchantId, merchantId), eq(t.env, env)));
  return row?.total ?? 0;
}

export async function insertBookEntry(
  tx: Tx,
  values: Omit<typeof withdrawalAddresses.$inferInsert, "id" | "createdAt">,
  now: Date,
): Promise<void> {
  await tx
    .insert(withdrawalAddresses)
    .values({ ...values, createdAt: now })
    .onConflictDoNothing();
}

/** Removes an entry and returns it. null if the merchant has no such entry. */
export async function removeBookEntry(
  tx: Tx,
  { id, merchantId, env }: { readonly id: number; readonly merchantId: number; readonly env: Env },
) {
  const t = withdrawalAddresses;
  const [row] = await tx
    .delete(t)
    .where(and(eq(t.id, id), eq(t.merchantId, merchantId), eq(t.env, env)))
    .returning();
  return row ?? null;
}
