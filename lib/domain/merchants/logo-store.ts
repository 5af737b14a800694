import { eq } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { merchantLogos } from "./tables.ts";
import type { MerchantLogo } from "./types.ts";

/** The merchant's one logo from now on; null: none. */
export async function replaceLogo(tx: Tx, merchantId: number, logo: MerchantLogo | null): Promise<void> {
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

export async function selectLogoBytes(db: Db | Tx, hash: string): Promise<Buffer | null> {
  const [row] = await db
    .select({ bytes: merchantLogos.bytes })
    .from(merchantLogos)
    .where(eq(merchantLogos.hash, hash))
    .limit(1);
  return row?.bytes ?? null;
}
