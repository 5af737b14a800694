import type { AuditEntry } from "#lib/domain/audit/record-decision.ts";

/** How the audit log names a person. */
export const actorOf = (userId: number) => `user:${userId}`;

const idOf = (actor: string, kind: "user" | "key"): number | null => {
  const [before, id = ""] = actor.split(":");
  return before === kind && /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : null;
};

/** The person whom the audit log names so. null: it is no person. */
export const userOf = (actor: string): number | null => idOf(actor, "user");

/** The API key that the audit log names so. null: it is no key. */
export const keyOf = (actor: string): number | null => idOf(actor, "key");

/** The audit entry of what people do with their own account. */
export function ownEntry(userId: number, action: string, details: AuditEntry["details"]): AuditEntry {
  return { actor: actorOf(userId), action, subject: actorOf(userId), details };
}
