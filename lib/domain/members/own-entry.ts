import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";

/** How the audit log names a person. */
export const actorOf = (userId: number) => `user:${userId}`;

/** The person whom the audit log names so. null: it is no person. */
export const userOf = (actor: string): number | null =>
  Number(/^user:([1-9][0-9]{0,14})$/.exec(actor)?.[1] ?? 0) || null;

/** The audit entry of what people do with their own account. */
export function ownEntry(userId: number, action: string, details: AuditEntry["details"]): AuditEntry {
  return { actor: actorOf(userId), action, subject: actorOf(userId), details };
}
