import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { posDevices } from "./tables.ts";
import type { DeviceRow } from "./types.ts";

export async function insertDevice(tx: Tx, row: typeof posDevices.$inferInsert): Promise<DeviceRow> {
  const [device] = await tx.insert(posDevices).values(row).returning();
  if (device === undefined) throw new Error("an inserted device was not returned");
  return device;
}

/** Devices of a form, newest first, with ids below `before`. */
export function listDeviceRows(
  db: Db | Tx,
  formId: number,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<DeviceRow[]> {
  return db
    .select()
    .from(posDevices)
    .where(and(eq(posDevices.formId, formId), before === null ? undefined : lt(posDevices.id, before)))
    .orderBy(desc(posDevices.id))
    .limit(limit);
}

/** Exchanges a code for a token, once. False if no device of the form waits for this code. */
export async function exchangeCode(
  db: Db,
  { formId, codeHash }: { readonly formId: number; readonly codeHash: Buffer },
  paired: { readonly tokenHash: Buffer; readonly timeZone: string; readonly pairedAt: Date },
): Promise<boolean> {
  const exchanged = await db
    .update(posDevices)
    .set({ ...paired, codeHash: null })
    .where(
      and(
        eq(posDevices.codeHash, codeHash),
        eq(posDevices.formId, formId),
        gt(posDevices.codeExpiresAt, paired.pairedAt),
        isNull(posDevices.revokedAt),
      ),
    )
    .returning({ id: posDevices.id });
  return exchanged.length > 0;
}

/** Ends a device for good. null if there is no such device; one that was revoked before keeps its time. */
export async function revokeDeviceRow(tx: Tx, id: number, now: Date): Promise<DeviceRow | null> {
  const revokedAt = sql`coalesce(${posDevices.revokedAt}, ${now.toISOString()}::timestamptz)`;
  const [device] = await tx
    .update(posDevices)
    .set({ codeHash: null, tokenHash: null, revokedAt })
    .where(eq(posDevices.id, id))
    .returning();
  return device ?? null;
}
