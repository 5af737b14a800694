"use server";

import { notFound, redirect } from "next/navigation";
import { actorOf } from "#lib/domain/members/own-entry.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { getServices } from "#lib/web/services.ts";
import { fieldsOf, requireDesk } from "../../../../../session.ts";

/** Form action: end a link that nobody has paid. */
export async function endLink(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "links.cancel");
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const { env, workplace, signedIn } = desk;
  const canceler = { owner: { merchantId: workplace.merchantId, env }, actor: actorOf(signedIn.userId) };
  const ended = await cancelLink(getServices().paymentLinks, refid, canceler, new Date());
  if (!ended.ok && ended.reason === "link_not_found") notFound();
  redirect(`${desk.base}/payments/${refid}${ended.ok ? "" : "?notice=link_not_cancelable"}`);
}
