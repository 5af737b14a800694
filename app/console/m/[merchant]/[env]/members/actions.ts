"use server";

import { refresh } from "next/cache";
import { readId } from "#app/console/read-id.ts";
import { consoleSite, endAt, fieldsOf, getMailSealer, perform, readRequest } from "#app/console/session.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { ROLES } from "#lib/domain/authority/role-rules.ts";
import { changeMember } from "#lib/domain/members/change-member.ts";
import { invitationUrl, inviteMember, revokeInvitation } from "#lib/domain/members/invite.ts";

async function readForm(posted: FormData) {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "members");
  const end = endAt.bind(null, request.page);
  return { ...request, read, end, role: ROLES.find((one) => one === read("role")) };
}

/** Called by the form of an invitation. Returns its link, which is shown once, unless a mail brings it to the person alone. */
export async function invite(posted: FormData): Promise<OnceAnswer> {
  const { read, role, ...request } = await readForm(posted);
  if (role === undefined) return { notice: "role_unknown" };
  const mailSealer = getMailSealer();
  const invited = await perform(inviteMember, request, { email: read("email"), role, mailSealer });
  if (!invited.ok) return { notice: invited.reason };
  refresh();
  if (mailSealer !== null) return { notice: "invitation_mailed" };
  return { text: invitationUrl(`${consoleSite().origin}/console`, invited.token) };
}

/** Form action: withdraw an invitation. */
export async function withdrawInvitation(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(revokeInvitation, form, { id: readId(form.read("invitation")) ?? 0 }));
}

/** Form action: change what a member may do, or end their membership with the role "". */
export async function change(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const role = form.read("role") === "" ? null : form.role;
  if (role === undefined) return form.end({ ok: false, reason: "role_unknown" });
  const changed = await perform(changeMember, form, { memberId: readId(form.read("member")) ?? 0, role });
  form.end(changed, role === null ? "member_removed" : undefined);
}
