"use server";

import { redirect } from "next/navigation";
import { type NoticeCode, readNotice } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { foundMerchant } from "#lib/domain/members/found-merchant.ts";
import { invitationUrl } from "#lib/domain/members/invite.ts";
import { setStatus } from "#lib/domain/merchants/update-merchant.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../../read-id.ts";
import {
  consoleSite,
  fieldsOf,
  getMailSealer,
  perform,
  requestOfOperator,
  requireOperator,
  requireRecent,
} from "../../session.ts";

const PAGE = "/console/operator/merchants";

/** Form action: disable or enable a merchant. */
export async function switchMerchant(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  // A status is that of both environments.
  const place = { merchantId: readId(read("id")) ?? 0, env: "live" } as const;
  const status = read("status") === "active" ? "active" : "disabled";
  const changed = await perform(setStatus, await requestOfOperator(place, PAGE), { status });
  const notice: NoticeCode = changed.ok ? "merchant_changed" : changed.reason;
  redirect(`${PAGE}?notice=${notice}`);
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
