"use server";

import { notFound, redirect } from "next/navigation";
import { endNote } from "#app/console/m/end-note.ts";
import { readId } from "#app/console/read-id.ts";
import { endAt, fieldsOf, perform, readRequest } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import { addPaymentNote, removePaymentNote } from "#lib/domain/notes/write-notes.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { getServices } from "#lib/web/services.ts";

/** Form action: end a link that nobody has paid. */
export async function endLink(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const request = await readRequest(read, `payments/${refid}`);
  const ended = await perform(cancelLink, request, { services: getServices().paymentLinks, refid });
  if (ended.ok) redirect(request.page);
  if (ended.reason === "link_not_found") notFound();
  redirect(`${request.page}?notice=${ended.reason satisfies NoticeCode}`);
}

/** Form action: revoke a refund claim that waits for an address. */
export async function dropClaim(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const request = await readRequest(read, `payments/${refid}`);
  const given = { id: readId(read("claim")) ?? 0, paymentLink: refid };
  const revoked = await perform(revokeClaim, request, given);
  endAt(request.page, revoked, "claim_revoked");
}

/** Form action: write a note on a payment. */
export async function notePayment(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const request = await readRequest(read, `payments/${refid}`);
  const text = read("note");
  await endNote(request.page, await perform(addPaymentNote, request, { refid, text }), text);
}

/** Form action: delete a note on a payment. */
export async function dropPaymentNote(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const refid = read("refid");
  if (!isRefid(refid)) notFound();
  const request = await readRequest(read, `payments/${refid}`);
  const id = readId(read("note")) ?? 0;
  await endNote(request.page, await perform(removePaymentNote, request, { refid, id }));
}
