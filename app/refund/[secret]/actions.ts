"use server";

import { headers } from "next/headers";
import { notFound, RedirectType, redirect } from "next/navigation";
import { isFromOwnOrigin, readKeptParams, withQuery } from "#app/posted-form.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import { answerClaim } from "#lib/domain/withdrawals/claims/answer-claim.ts";
import { findClaimBySecret } from "#lib/domain/withdrawals/claims/queries.ts";
import { isClaimSecret } from "#lib/domain/withdrawals/claims/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { MAX_ADDRESS, noticeOf } from "./notices.ts";

/**
 * Form action: send the refund to the address that the payer has compared. Anyone with the page's address can post it, once. Always
 * ends in a redirect to the page, which shows the result.
 */
export async function sendRefund(posted: FormData): Promise<void> {
  const read = (name: string) => {
    const value = posted.get(name);
    return typeof value === "string" ? value.slice(0, MAX_ADDRESS) : "";
  };
  // From the path, as the server read it: the form names no claim.
  const secret = (await headers()).get("x-paylink-claim");
  if (!isClaimSecret(secret) || !(await isFromOwnOrigin())) notFound();
  const kept = await readKeptParams(read("lang") || null);
  const to = read("to").trim();
  const backTo = (query: Readonly<Record<string, string>>) =>
    redirect(withQuery(`/refund/${secret}`, { ...query, ...kept }), RedirectType.replace);
  if (read("compared") !== "yes") return backTo({ to, notice: "not_compared" });
  const { database, networks } = getServices();
  const { claim } = (await findClaimBySecret(database.db, secret)) ?? notFound();
  const { id: claimId, merchantId, env } = claim;
  const act = { actor: { kind: "payer", claimId }, merchantId, env, now: new Date() } as const;
  const sent = await performVerb(database, answerClaim, act, { networks, secret, to });
  if (sent.ok) return backTo({});
  if ("barred" in sent || sent.reason === "claim_not_found") notFound();
  if (sent.reason === "claim_not_open") return backTo({});
  const notice = noticeOf(sent.reason);
  backTo(notice === "not_now" ? { notice } : { to, notice });
}
