import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { endKeysOf } from "#lib/domain/merchants/end-key.ts";
import { deleteMember, lockMembers, updateMemberRole } from "./store.ts";

/**
 * Changes a member's role, or with null ends their membership and the keys that they made. A merchant keeps an owner. Keys shrink with the
 * role by themselves: each request asks it.
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
    const details = {
      member: memberId,
      before: member.role,
      after: role,
      ...(endedKeys > 0 && { ended_keys: endedKeys }),
    };
    return done({}, { subject: `merchant:${merchantId}`, details });
  },
);
