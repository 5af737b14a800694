"use server";

import { notFound, redirect } from "next/navigation";
import { approveWithdrawal, startApproval } from "#lib/domain/withdrawals/approve-withdrawal.ts";
import { getServices } from "#lib/web/services.ts";
import { consoleSite, fieldsOf, requireOperator } from "../../session.ts";

/** The withdrawal of a posted form, and the operator who may approve it for the signer. */
async function readRequest(posted: FormData) {
  const { userId } = await requireOperator();
  const read = fieldsOf(posted);
  const refid = /^[0-9]{16}$/.test(read("withdrawal")) ? read("withdrawal") : notFound();
  const env = read("env") === "test" ? "test" : "live";
  return { request: { merchantId: null, env, refid, userId } as const, answer: read("answer") };
}

/** Called by the button of an approval: what the passkey must sign. */
export async function startSignerApproval(posted: FormData) {
  const { request } = await readRequest(posted);
  const started = await startApproval(getServices().database.db, consoleSite(), request);
  if (!started.ok) return { notice: started.reason } as const;
  return { kind: "get", options: JSON.stringify(started.options) } as const;
}

/** Called by the button of an approval with the browser's answer. The signer checks it again. */
export async function finishSignerApproval(posted: FormData) {
  const { request, answer } = await readRequest(posted);
  const given = { ...request, answer };
  const approved = await approveWithdrawal(getServices().database.db, consoleSite(), given, new Date());
  if (!approved.ok) return { notice: approved.reason } as const;
  redirect(`/console/operator/withdrawals/${request.refid}?notice=approval_stored`);
}
