import type { PersonActor } from "#lib/domain/authority/types.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import type { SecretSealer } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { inviteMember, type MemberRefusal } from "./manage-members.ts";

type CreateRefusal = Extract<
  Awaited<ReturnType<typeof createMerchant>>,
  { readonly reason: string }
>["reason"];
type Founded =
  | { readonly ok: true; readonly token: string; readonly isMailed: boolean }
  | { readonly ok: false; readonly reason: CreateRefusal | MemberRefusal };

/**
 * Creates a merchant and invites its owner, both or neither. The token of the invitation is returned only here. Nobody learns
 * the keys that every merchant begins with: its people make their own.
 */
export function foundMerchant(
  db: Db,
  secrets: SecretSealer,
  given: {
    readonly actor: PersonActor;
    readonly email: string;
    readonly name: string;
    readonly mailSealer: SecretSealer | null;
  },
  now: Date,
): Promise<Founded> {
  const { actor, email, name, mailSealer } = given;
  const { userId } = actor;
  return inTransaction(db, async (tx): Promise<Founded> => {
    const input = { sealer: secrets, email, name, webhookUrl: null };
    const created = await createMerchant({ tx, now, actor }, input);
    if ("barred" in created) throw new Error("a person who does not run the installation created a merchant");
    if (!created.ok) return created;
    const { id: merchantId } = created.merchant;
    return inviteMember(tx, { userId, merchantId }, { email, role: "owner", mailSealer }, now);
  });
}
