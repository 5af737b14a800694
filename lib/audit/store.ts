import type { Tx } from "#lib/db/connection.ts";
import { auditLog } from "#lib/db/schema.ts";
import type { AuditEntry } from "./types.ts";

export async function insertEntry(tx: Tx, entry: AuditEntry, at: Date): Promise<void> {
  await tx.insert(auditLog).values({ ...entry, at });
}
