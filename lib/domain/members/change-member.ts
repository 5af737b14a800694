import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { endKeysOf } from "#lib/domain/merchants/end-key.ts";
import { getUser } from "./queries.ts";
import { deleteMember, lockMembers, revokeInvitationsOf, revokeUnbacked, updateMemberRole } from "./store.ts";

/**
 * Changes a member's role, or with null ends their membership, the keys that they made and every other invitation to them. A merchant keeps an
 * owner. Keys shrink with the role by themselves: each request asks it. Invitations that the member made end with their right to invite.
 */
export const changeMember = defineVerb(
  "member.change",
  async (
    { tx, now, merchantId },
    { memberId, role }: { readonly memberId: number; readonly role: Role | null },
  ) => {
    await lockMerchant(tx, merchantId);
    const staff = await lockMembers(tx, merchantId);
    const member = staff.find(({ userId }) => userId === memberId);
    if (member === undefined) return refuse("member_not_found");
    const keepsOwner =
      role === "owner" || staff.some(({ userId, role }) => role === "owner" && userId !== memberId);
    if (member.role === "owner" && !keepsOwner) return refuse("last_owner");
    const place = { merchantId, userId: memberId };
    if (role === null) await deleteMember(tx, place);
    else await updateMemberRole(tx, place, role);
    const endedKeys = role === null ? await endKeysOf(tx, place, now) : 0;
    let endedInvitations = await revokeUnbacked(tx, place, now);
    if (role === null) {
      const { email } = await getUser(tx, memberId);
      endedInvitations += await revokeInvitationsOf(tx, { merchantId, email }, now);
    }
    const details = {
      member: memberId,
      before: member.role,
      after: role,
      ...(endedKeys > 0 && { ended_keys: endedKeys }),
      ...(endedInvitations > 0 && { ended_invitations: endedInvitations }),
    };
    return done({}, { subject: `merchant:${merchantId}`, details });
  },
);
