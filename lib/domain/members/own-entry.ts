import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";

/** How the audit log names a person. */
export const actorOf = (userId: number) => `user:${userId}`;

/** The audit entry of what people do with their own account. */
export function ownEntry(userId: number, action: string, details: AuditEntry["details"]): AuditEntry {
  return { actor: actorOf(userId), action, subject: actorOf(userId), details };
}
