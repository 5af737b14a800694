"use server";

import { redirect } from "next/navigation";
import { readNotice } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { foundMerchant } from "#lib/domain/members/found-merchant.ts";
import { invitationUrl } from "#lib/domain/members/invite.ts";
import { setMerchantStatus } from "#lib/domain/merchants/set-status.ts";
import { getServices } from "#lib/web/services.ts";
import { consoleSite, fieldsOf, getMailSealer, requireOperator, requireRecent } from "../../session.ts";

const PAGE = "/console/operator/merchants";

/** Form action: disable or enable a merchant. */
export async function switchMerchant(posted: FormData): Promise<void> {
  const signedIn = await requireOperator();
  requireRecent(signedIn, PAGE);
  const read = fieldsOf(posted);
  const merchantId = /^[1-9][0-9]{0,14}$/.test(read("id")) ? Number(read("id")) : 0;
  const status = read("status") === "active" ? "active" : "disabled";
  const request = { actor: actorOf(signedIn.userId), merchantId, status } as const;
  const isDone = await getServices().database.db.transaction((tx) =>
    setMerchantStatus(tx, request, new Date()),
  );
  redirect(`${PAGE}?notice=${isDone ? "merchant_changed" : "merchant_not_found"}`);
}

/** Called by the form of a new merchant: creates it and invites its owner. The invitation is shown once. */
export async function addMerchant(posted: FormData): Promise<OnceAnswer> {
  const signedIn = await requireOperator();
  requireRecent(signedIn, PAGE);
  const read = fieldsOf(posted);
  const { database, secrets } = getServices();
  const mailSealer = getMailSealer();
  const { userId, verifiedAt } = signedIn;
  const actor = { kind: "person", userId, role: "operator", verifiedAt } as const;
  const given = { actor, email: read("email").trim(), name: read("name"), mailSealer };
  const founded = await foundMerchant(database.db, secrets, given, new Date());
  if (founded.ok && founded.isMailed) return { notice: "invitation_mailed" };
  if (founded.ok) return { text: invitationUrl(`${consoleSite().origin}/console`, founded.token) };
  const notice = readNotice(founded.reason);
  return notice === null ? redirect(PAGE) : { notice };
}
