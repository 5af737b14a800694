import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { isRole } from "#lib/domain/authority/role-rules.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { endKeysOf } from "#lib/domain/merchants/end-key.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import type { SecretSealer } from "#lib/domain/merchants/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { type InviteRefusal, invite } from "./invite.ts";
import { deleteMember, lockMembers, revokeInvitationRow, updateMemberRole } from "./store.ts";

export type MemberRefusal =
  | InviteRefusal
  | "role_unknown"
  | "invitation_not_mailed"
  | "merchant_disabled"
  | "member_not_found"
  | "last_owner"
  | "invitation_not_found";
type Changed<Done = unknown> =
  | ({ readonly ok: true } & Done)
  | { readonly ok: false; readonly reason: MemberRefusal };

/** The person who changes a merchant's staff, and the merchant. */
export interface ByMember {
  readonly userId: number;
  readonly merchantId: number;
}

/**
 * Invites a person to work for the merchant, as `invite` does. The token of the link is returned only here. Where mails are sent (`mailSealer`),
 * an invitation that no mail can bring is refused: anyone who has the link signs up as the person.
 */
export async function inviteMember(
  tx: Tx,
  { userId, merchantId }: ByMember,
  person: { readonly email: string; readonly role: string; readonly mailSealer?: SecretSealer | null },
  now: Date,
): Promise<Changed<{ readonly token: string; readonly isMailed: boolean }>> {
  const { role } = person;
  if (!isRole(role)) return { ok: false, reason: "role_unknown" };
  const invited = await invite(tx, { ...person, invitedBy: userId, merchantId, role }, now);
  if (!invited.ok) return invited;
  const { token, isMailed, invitation } = invited;
  const { id } = invitation;
  if (person.mailSealer && !isMailed) {
    await revokeInvitationRow(tx, { merchantId, id }, now);
    const isActive = (await findMerchant(tx, merchantId))?.status === "active";
    return { ok: false, reason: isActive ? "invitation_not_mailed" : "merchant_disabled" };
  }
  const details = { invitation: id, email: invitation.email, role };
  await recordDecision(tx, staffEntry({ userId, merchantId }, "member.invite", details), now);
  return { ok: true, token, isMailed };
}

/** Withdraws an open invitation. */
export async function revokeInvitation(tx: Tx, by: ByMember, id: number, now: Date): Promise<Changed> {
  const revoked = await revokeInvitationRow(tx, { merchantId: by.merchantId, id }, now);
  if (revoked === null) return { ok: false, reason: "invitation_not_found" };
  const details = { invitation: id, email: revoked.email };
  await recordDecision(tx, staffEntry(by, "member.revoke-invitation", details), now);
  return { ok: true };
}

/**
 * Changes a member's role, or with null ends their membership and the keys that they made. A merchant keeps an owner. Keys shrink with the
 * role by themselves: each request asks it.
 */
export async function changeMember(
  tx: Tx,
  by: ByMember,
  { memberId, role }: { readonly memberId: number; readonly role: string | null },
  now: Date,
): Promise<Changed> {
  if (role !== null && !isRole(role)) return { ok: false, reason: "role_unknown" };
  const { merchantId } = by;
  await lockMerchant(tx, merchantId);
  const staff = await lockMembers(tx, merchantId);
  const member = staff.find(({ userId }) => userId === memberId);
  if (member === undefined) return { ok: false, reason: "member_not_found" };
  const keepsOwner =
    role === "owner" || staff.some(({ userId, role }) => role === "owner" && userId !== memberId);
  if (member.role === "owner" && !keepsOwner) return { ok: false, reason: "last_owner" };
  const place = { merchantId, userId: memberId };
  if (role === null) await deleteMember(tx, place);
  else await updateMemberRole(tx, place, role);
  const endedKeys = role === null ? await endKeysOf(tx, place, now) : 0;
  const details = {
    member: memberId,
    before: member.role,
    after: role,
    ...(endedKeys > 0 && { ended_keys: endedKeys }),
  };
  await recordDecision(tx, staffEntry(by, "member.change", details), now);
  return { ok: true };
}

/** The audit entry of a change of a merchant's staff. */
function staffEntry(
  { userId, merchantId }: ByMember,
  action: string,
  details: AuditEntry["details"],
): AuditEntry {
  return { actor: actorOf(userId), action, subject: `merchant:${merchantId}`, merchantId, details };
}
