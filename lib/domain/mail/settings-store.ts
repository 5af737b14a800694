import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { mailSettings, mailStops } from "./tables.ts";
import type { MailOwner, SwitchedKind } from "./types.ts";

const isOwner = ({ merchantId, env }: MailOwner) =>
  and(eq(mailSettings.merchantId, merchantId), eq(mailSettings.env, env));

export interface StoredMailSettings {
  readonly kinds: readonly SwitchedKind[];
  /** The address of the notices. Null: the merchant's own. */
  readonly recipient: string | null;
  readonly digestedUntil: Date | null;
}

/** Locks the settings of a merchant, made from `initial` at first. */
export async function lockMailSettings(
  tx: Tx,
  owner: MailOwner,
  initial: readonly SwitchedKind[],
): Promise<StoredMailSettings> {
  await tx
    .insert(mailSettings)
    .values({ ...owner, kinds: [...initial] })
    .onConflictDoNothing();
  const [row] = await tx.select().from(mailSettings).where(isOwner(owner)).for("update");
  if (row === undefined) throw new Error("the mail settings were not stored");
  return row;
}

export async function updateMailSettings(
  tx: Tx,
  owner: MailOwner,
  { kinds, recipient, digestedUntil }: StoredMailSettings,
  now: Date,
): Promise<void> {
  await tx
    .update(mailSettings)
    .set({ kinds: [...kinds], recipient, digestedUntil, updatedAt: now })
    .where(isOwner(owner));
}

/** Locks a merchant whose digest of a day before `today` is not made, and that no other process makes. null: no digest is due. */
export async function lockDueDigest(tx: Tx, today: Date): Promise<(MailOwner & StoredMailSettings) | null> {
  const [due] = await tx
    .select()
    .from(mailSettings)
    .where(
      and(
        sql`'digest' = any(${mailSettings.kinds})`,
        sql`${mailSettings.digestedUntil} < ${today.toISOString()}::timestamptz`,
      ),
    )
    .limit(1)
    .for("update", { skipLocked: true });
  return due ?? null;
}

/** Stores that a payer wants no more receipts of a merchant. */
export async function insertMailStop(db: Db | Tx, owner: MailOwner, address: string): Promise<void> {
  await db
    .insert(mailStops)
    .values({ ...owner, address: address.toLowerCase() })
    .onConflictDoNothing();
}
