import type { Tx } from "#lib/platform/db/connection.ts";
import { auditLog } from "./tables.ts";
import type { AuditEntry } from "./types.ts";

export async function insertEntry(tx: Tx, entry: AuditEntry, at: Date): Promise<void> {
  await tx.insert(auditLog).values({ ...entry, at });
}
