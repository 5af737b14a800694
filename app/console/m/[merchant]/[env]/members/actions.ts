"use server";

import { redirect } from "next/navigation";
import type { Action } from "#lib/domain/authority/role-rules.ts";
import { invitationUrl } from "#lib/domain/members/invite.ts";
import { changeMember, inviteMember, revokeInvitation } from "#lib/domain/members/manage-members.ts";
import { getServices } from "#lib/web/services.ts";
import {
  consoleSite,
  type Desk,
  fieldsOf,
  getMailSealer,
  requireDesk,
  requireRecent,
} from "../../../../session.ts";

/** The console of a posted form, for a person who may do this and has just proved who they are. */
async function requireRecentDesk(posted: FormData, action: Action): Promise<Desk> {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, action);
  requireRecent(desk.signedIn, `${desk.base}/members`);
  return desk;
}

const byOf = ({ signedIn, workplace }: Desk) => ({
  userId: signedIn.userId,
  merchantId: workplace.merchantId,
});

/** Called by the form of an invitation. Returns its link, which is shown once, unless a mail brings it to the person alone. */
export async function invite(posted: FormData) {
  const desk = await requireRecentDesk(posted, "members.invite");
  const read = fieldsOf(posted);
  const person = { email: read("email"), role: read("role"), mailSealer: getMailSealer() };
  const now = new Date();
  const invited = await getServices().database.db.transaction((tx) =>
    inviteMember(tx, byOf(desk), person, now),
  );
  if (!invited.ok) return { notice: invited.reason } as const;
  if (invited.isMailed) return { notice: "invitation_mailed" } as const;
  return { text: invitationUrl(`${consoleSite().origin}/console`, invited.token) };
}

/** Form action: withdraw an invitation. */
export async function withdrawInvitation(posted: FormData): Promise<void> {
  const desk = await requireRecentDesk(posted, "members.invite");
  const id = Number(fieldsOf(posted)("invitation"));
  const isId = Number.isSafeInteger(id);
  const withdrawn =
    isId &&
    (await getServices().database.db.transaction((tx) => revokeInvitation(tx, byOf(desk), id, new Date())))
      .ok;
  redirect(`${desk.base}/members${withdrawn ? "" : "?notice=invitation_not_found"}`);
}

/** Form action: change what a member may do, or end their membership with the role "". */
export async function change(posted: FormData): Promise<void> {
  const desk = await requireRecentDesk(posted, "members.change");
  const read = fieldsOf(posted);
  const memberId = Number(read("member"));
  const role = read("role");
  const request = {
    memberId: Number.isSafeInteger(memberId) ? memberId : 0,
    role: role === "" ? null : role,
  };
  const changed = await getServices().database.db.transaction((tx) =>
    changeMember(tx, byOf(desk), request, new Date()),
  );
  redirect(`${desk.base}/members${changed.ok ? "" : `?notice=${changed.reason}`}`);
}
