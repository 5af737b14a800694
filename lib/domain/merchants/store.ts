import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import type { Permission } from "#lib/domain/authority/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { KEY_COLUMNS, MERCHANT_COLUMNS } from "./columns.ts";
import { apiKeys, ipEntries, merchantLogos, merchants } from "./tables.ts";
import type { ApiKey, Merchant, StoredPicture } from "./types.ts";

/** First key of the advisory lock of a merchant's e-mail address. */
const EMAIL_LOCK = 0x70_6c_65;

/** Other transactions that create a merchant with this e-mail address, in upper or lower case, wait until this one ends. */
export async function lockEmail(tx: Tx, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${EMAIL_LOCK}, hashtext(lower(${email})))`);
}

/** Null if the e-mail address is taken. */
export async function insertMerchant(
  tx: Tx,
  merchant: { email: string; name: string },
  now: Date,
): Promise<Merchant | null> {
  const [row] = await tx
    .insert(merchants)
    .values({ ...merchant, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: merchants.email })
    .returning(MERCHANT_COLUMNS);
  return row ?? null;
}

export type MerchantChanges = Partial<
  Omit<Merchant, "id" | "code" | "email" | "createdAt" | "updatedAt" | "allowOrigins" | "paymentPairs">
> & {
  allowOrigins?: string[];
  paymentPairs?: string[] | null;
};

export async function updateMerchantRow(
  tx: Tx,
  id: number,
  changes: MerchantChanges,
  now: Date,
): Promise<void> {
  await tx
    .update(merchants)
    .set({ ...changes, updatedAt: now })
    .where(eq(merchants.id, id));
}

export async function insertKey(
  tx: Tx,
  key: Pick<ApiKey, "env" | "scope" | "last4" | "madeBy" | "expiresAt"> & {
    name?: string;
    permissions?: readonly Permission[] | null;
    origin?: string | null;
    merchantId: number;
    hash: Buffer;
  },
  now: Date,
): Promise<ApiKey> {
  const [row] = await tx
    .insert(apiKeys)
    .values({ ...key, permissions: key.permissions == null ? null : [...key.permissions], createdAt: now })
    .returning(KEY_COLUMNS);
  if (row === undefined) throw new Error("an inserted key was not returned");
  return row;
}

export async function lockKey(
  tx: Tx,
  { id, merchantId, env }: { readonly id: number; readonly merchantId: number; readonly env: Env },
): Promise<ApiKey | null> {
  const isOwn = and(eq(apiKeys.id, id), eq(apiKeys.merchantId, merchantId), eq(apiKeys.env, env));
  const [row] = await tx.select(KEY_COLUMNS).from(apiKeys).where(isOwn).for("update");
  return row ?? null;
}

/** Revokes the keys of a merchant that a person made, except those that have ended. Returns how many. */
export async function revokeKeysMadeBy(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
  now: Date,
): Promise<number> {
  const { expiresAt, revokedAt } = apiKeys;
  const isActive = and(or(isNull(expiresAt), gt(expiresAt, now)), or(isNull(revokedAt), gt(revokedAt, now)));
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.madeBy, userId), isActive))
    .returning({ id: apiKeys.id });
  return revoked.length;
}

export async function setRevokedAt(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.update(apiKeys).set({ revokedAt: at }).where(eq(apiKeys.id, id));
}

/** Records a use at `now` unless a use after `cutoff` is recorded: one of many concurrent requests writes. */
export async function setLastUsedAt(db: Db, keyId: number, now: Date, cutoff: Date): Promise<void> {
  const due = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, cutoff));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, keyId), due));
}

export async function insertIpEntry(
  tx: Tx,
  entry: { merchantId: number; name: string; address: string },
  now: Date,
): Promise<{ id: number }> {
  const [row] = await tx
    .insert(ipEntries)
    .values({ ...entry, createdAt: now, updatedAt: now })
    .returning({ id: ipEntries.id });
  if (row === undefined) throw new Error("an inserted address entry was not returned");
  return row;
}

export async function deleteIpEntry(tx: Tx, id: number): Promise<void> {
  await tx.delete(ipEntries).where(eq(ipEntries.id, id));
}

/** Replaces the merchant's logo. Null removes it. */
export async function replaceLogo(tx: Tx, merchantId: number, logo: StoredPicture | null): Promise<void> {
  if (logo === null) {
    await tx.delete(merchantLogos).where(eq(merchantLogos.merchantId, merchantId));
    return;
  }
  const { hash, bytes } = logo;
  await tx
    .insert(merchantLogos)
    .values({ merchantId, hash, bytes })
    .onConflictDoUpdate({ target: merchantLogos.merchantId, set: { hash, bytes } });
}
