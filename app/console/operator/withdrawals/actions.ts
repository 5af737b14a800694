"use server";

import { notFound, redirect } from "next/navigation";
import {
  consoleSite,
  fieldsOf,
  perform,
  requestOfOperator,
  requireMay,
  requireOperator,
} from "#app/console/session.ts";
import { approveWithdrawal, startApproval } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { getServices } from "#lib/web/services.ts";

const MISSING = { notice: "withdrawal_not_found" } as const;

/** The withdrawal of a posted form, and the operator who may approve it for the signer. The request is null if there is no such withdrawal. */
async function readForm(posted: FormData) {
  await requireOperator();
  const read = fieldsOf(posted);
  const refid = /^[0-9]{16}$/.test(read("withdrawal")) ? read("withdrawal") : notFound();
  const env = read("env") === "test" ? "test" : "live";
  const found = await findWithdrawalByRefid(getServices().database.db, { merchantId: null, env, refid });
  const page = `/console/operator/withdrawals/${refid}`;
  const request = found && (await requestOfOperator({ merchantId: found.merchantId, env }, page));
  return { request, refid, answer: read("answer") };
}

/** Called by the button of an approval: what the passkey must sign. */
export async function startSignerApproval(posted: FormData) {
  const { request, refid } = await readForm(posted);
  if (request === null) return MISSING;
  requireMay(approveWithdrawal.verb, request);
  const started = await startApproval(getServices().database.db, consoleSite(), request.act, refid);
  if (!started.ok) return { notice: started.reason } as const;
  return { kind: "get", options: JSON.stringify(started.options) } as const;
}

/** Called by the button of an approval with the browser's answer. The signer checks it again. */
export async function finishSignerApproval(posted: FormData) {
  const { request, refid, answer } = await readForm(posted);
  if (request === null) return MISSING;
  const approved = await perform(approveWithdrawal, request, { site: consoleSite(), refid, answer });
  if (!approved.ok) return { notice: approved.reason } as const;
  redirect(`${request.page}?notice=approval_stored`);
}
