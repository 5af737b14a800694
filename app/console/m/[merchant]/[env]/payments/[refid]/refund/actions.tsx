"use server";

import { redirect } from "next/navigation";
import {
  readWithdrawal,
  WITHDRAWAL_PROBLEMS,
} from "#app/console/m/[merchant]/[env]/money/withdrawals/new/read-withdrawal.ts";
import { fieldsOf, perform, readRequest, requireMay } from "#app/console/session.ts";
import type { ClaimFormState, ClaimProblem } from "#components/console/claim-form.tsx";
import { QrCode } from "#components/ui/qr-code.tsx";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { type CreateClaimRefusal, createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { readNote } from "#lib/domain/withdrawals/claims/rules.ts";
import { getServices } from "#lib/web/services.ts";

const refuse = (problem: ClaimProblem): ClaimFormState => ({ problem, made: null });

function problemOf(reason: CreateClaimRefusal): ClaimProblem {
  switch (reason) {
    case "mail_not_possible":
      return {
        field: "mail",
        text: "The customer's address cannot receive this mail now. Make the link without it, and pass it on yourself.",
      };
    case "refund_no_excess":
      return { field: "amount", text: "Nothing that was paid too much is left here." };
    default: {
      const { field, text } = WITHDRAWAL_PROBLEMS[reason];
      return { field: field === "to" ? "pair" : field, text };
    }
  }
}

/**
 * Called by the form of a refund claim. Answers the link of its page, which is shown once; or mails it, and goes to the payment. The same
 * form again answers the same link.
 */
export async function makeClaim(posted: FormData): Promise<ClaimFormState> {
  const read = fieldsOf(posted);
  const link = isRefid(read("link")) ? read("link") : "";
  const form = await readRequest(read, link === "" ? "payments" : `payments/${link}/refund`);
  requireMay(createClaim.verb, form);
  const asked = readWithdrawal(read);
  if (!asked.ok) {
    const { field, text } = asked.problem;
    return refuse({ field: field === "reason" ? field : "amount", text });
  }
  const note = readNote(read("note"));
  if (note === null) return refuse({ field: "note", text: "Use plain text of one line." });
  const { networks, secrets, paymentLinks } = getServices();
  const { network, token, amount, reason = null, idempotencyKey } = asked.request;
  const mail = read("mail") === "on";
  const request = {
    networks,
    secrets,
    settings: paymentLinks.settings,
    paymentLink: link,
    network,
    token,
    amount,
    note: note === "" ? null : note,
    reason,
    mail,
    idempotencyKey,
  };
  const made = await perform(createClaim, form, request);
  if (!made.ok) return refuse(problemOf(made.reason));
  const page = `${form.base}/payments/${link}`;
  if (mail || made.url === null) redirect(`${page}?notice=${mail ? "claim_mailed" : "claim_made"}`);
  const code = <QrCode text={made.url} label="QR code of the refund's page" className="qr size-48" />;
  return { problem: null, made: { url: made.url, code } };
}
