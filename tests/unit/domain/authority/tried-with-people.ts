/** The verbs about who works for a merchant and who runs the installation, with what they need. */
import assert from "node:assert/strict";
import type { Act } from "#lib/domain/authority/types.ts";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { inviteMember, revokeInvitation } from "#lib/domain/members/invite.ts";
import { addOperator, removeOperator, resetPerson } from "#lib/domain/members/operators.ts";
import { getUser } from "#lib/domain/members/queries.ts";
import { insertMember, updateUser } from "#lib/domain/members/store.ts";
import { aPerson } from "../members/a-person.ts";
import type { Tried } from "./tried.ts";

const guest = { email: "guest@example.com", role: "cashier", mailSealer: null } as const;

async function anInvitation(act: Act): Promise<number> {
  const invited = await inviteMember(act, guest);
  assert.ok(invited.ok);
  return invited.invitation.id;
}

async function aMember({ tx, merchantId }: Act): Promise<number> {
  const { id: userId } = await aPerson(tx);
  await insertMember(tx, { merchantId, userId, role: "cashier" });
  return userId;
}

async function anOperator({ tx }: Act): Promise<number> {
  const { id } = await aPerson(tx);
  await updateUser(tx, id, { isOperator: true });
  return id;
}

export const TRIED_WITH_PEOPLE = {
  "member.invite": { attempt: (act) => inviteMember(act, guest) },
  "member.revoke-invitation": {
    attempt: (act, id) => revokeInvitation(act, { id }),
    prepare: anInvitation,
    notFound: "invitation_not_found",
  },
  "member.change": {
    attempt: (act, memberId) => changeMember(act, { memberId, role: "manager" }),
    prepare: aMember,
    notFound: "member_not_found",
  },
  "console.operator-add": {
    attempt: (act) => addOperator(act, { email: guest.email }),
    isOfInstallation: true,
  },
  "console.operator-remove": {
    attempt: async (act, id) => removeOperator(act, { email: (await getUser(act.tx, id)).email }),
    prepare: anOperator,
    isOfInstallation: true,
  },
  "console.person-reset": {
    attempt: async (act, id) => resetPerson(act, { email: (await getUser(act.tx, id)).email }),
    prepare: anOperator,
    isOfInstallation: true,
  },
} as const satisfies Readonly<Record<string, Tried>>;
