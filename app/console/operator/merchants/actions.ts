"use server";

import { refresh } from "next/cache";
import { readId } from "#app/console/read-id.ts";
import {
  actHere,
  consoleSite,
  endAt,
  fieldsOf,
  getMailSealer,
  perform,
  requestOfOperator,
} from "#app/console/session.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { invitationUrl, inviteMember } from "#lib/domain/members/invite.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { setStatus } from "#lib/domain/merchants/update-merchant.ts";
import { getServices } from "#lib/web/services.ts";

const PAGE = "/console/operator/merchants";

/** Form action: disable or enable a merchant. */
export async function switchMerchant(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  // A status is that of both environments.
  const place = { merchantId: readId(read("id")) ?? 0, env: "live" } as const;
  const status = read("status") === "active" ? "active" : "disabled";
  const changed = await perform(setStatus, await requestOfOperator(place, PAGE), { status });
  endAt(PAGE, changed, "merchant_changed");
}

/** Called by the form of a new merchant: creates it and invites its owner, both or neither. The invitation is shown once. */
export async function addMerchant(posted: FormData): Promise<OnceAnswer> {
  const read = fieldsOf(posted);
  const { secrets } = getServices();
  const mailSealer = getMailSealer();
  const email = read("email").trim();
  const added = await actHere(PAGE, async (act) => {
    const merchant = { sealer: secrets, email, name: read("name"), webhookUrl: null };
    const created = await createMerchant(act, merchant);
    if (!created.ok) return created;
    const place = { ...act, merchantId: created.merchant.id, env: "live" } as const;
    return inviteMember(place, { email, role: "owner", mailSealer });
  });
  if (added.ok) refresh();
  if (added.ok && mailSealer !== null) return { notice: "invitation_mailed" };
  if (added.ok) return { text: invitationUrl(`${consoleSite().origin}/console`, added.token) };
  return { notice: added.reason };
}
