import type { Actor } from "./types.ts";

/** How the audit log names a person. */
export const actorOf = (userId: number) => `user:${userId}`;

/** How the audit log names an actor: "operator:ada", "user:3", "key:12", "refund_claim:7", "signer". */
export function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case "operator":
      return `operator:${actor.name}`;
    case "person":
      return actorOf(actor.userId);
    case "key":
      return `key:${actor.keyId}`;
    case "payer":
      return `refund_claim:${actor.claimId}`;
    case "signer":
      return "signer";
  }
}

const idOf = (name: string, kind: "user" | "key"): number | null => {
  const [before, id = ""] = name.split(":");
  return before === kind && /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : null;
};

/** The person whom the audit log names so. null: it is no person. */
export const userOf = (name: string): number | null => idOf(name, "user");

/** The API key that the audit log names so. null: it is no key. */
export const keyOf = (name: string): number | null => idOf(name, "key");
