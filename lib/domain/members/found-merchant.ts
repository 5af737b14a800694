import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import type { InvalidMerchantField } from "#lib/domain/merchants/schema.ts";
import type { SecretSealer } from "#lib/domain/merchants/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { inviteMember, type MemberRefusal } from "./manage-members.ts";

type Founded =
  | { readonly ok: true; readonly token: string; readonly isMailed: boolean }
  | { readonly ok: false; readonly reason: "email_taken" | InvalidMerchantField | MemberRefusal };

/**
 * Creates a merchant and invites its owner, both or neither. The token of the invitation is returned only here. Nobody learns
 * the keys that every merchant begins with: its people make their own.
 */
export function foundMerchant(
  db: Db,
  secrets: SecretSealer,
  given: {
    readonly userId: number;
    readonly email: string;
    readonly name: string;
    readonly mailSealer: SecretSealer | null;
  },
  now: Date,
): Promise<Founded> {
  const { userId, email, name, mailSealer } = given;
  return inTransaction(db, async (tx): Promise<Founded> => {
    const created = await createMerchant(tx, { secrets }, { email, name, webhookUrl: null }, now);
    if (!created.ok) return created;
    const { id: merchantId } = created.merchant;
    const entry = { action: "merchant.create", subject: `merchant:${merchantId}`, merchantId };
    const details = { merchant: email, name };
    await recordDecision(tx, { actor: actorOf(userId), ...entry, details }, now);
    return inviteMember(tx, { userId, merchantId }, { email, role: "owner", mailSealer }, now);
  });
}
