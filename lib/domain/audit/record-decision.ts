import type { Tx } from "#lib/platform/db/connection.ts";
import { insertEntry } from "./store.ts";
import type { AuditEntry } from "./types.ts";

/** Keeps on record who decided what, in the transaction that does it. */
export function recordDecision(tx: Tx, entry: AuditEntry, at: Date): Promise<void> {
  return insertEntry(tx, entry, at);
}
