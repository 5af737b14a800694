import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";

/** The audit entry of what people do with their own account. */
export function ownEntry(userId: number, action: string, details: AuditEntry["details"]): AuditEntry {
  return { actor: actorOf(userId), action, subject: actorOf(userId), details };
}
