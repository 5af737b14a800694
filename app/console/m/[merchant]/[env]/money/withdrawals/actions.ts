"use server";

import { redirect } from "next/navigation";
import {
  consoleSite,
  endAt,
  fieldsOf,
  perform,
  readRequest,
  requireMay,
  requireSignedIn,
} from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import { approveWithdrawal, startApproval } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/end/fail-withdrawal.ts";
import { setSecondPerson } from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { getServices } from "#lib/web/services.ts";

/** The withdrawal of a posted form. */
async function readForm(posted: FormData) {
  const read = fieldsOf(posted);
  const refid = /^[0-9]{16}$/.test(read("withdrawal")) ? read("withdrawal") : "0";
  return { ...(await readRequest(read, `money/withdrawals/${refid}`)), read, refid };
}

/** Called by the button of an approval: what the passkey must sign. */
export async function startApprove(posted: FormData) {
  const form = await readForm(posted);
  requireMay(approveWithdrawal.verb, form);
  const started = await startApproval(getServices().database.db, consoleSite(), form.act, form.refid);
  if (!started.ok) return { notice: started.reason } as const;
  return { kind: "get", options: JSON.stringify(started.options) } as const;
}

/** Called by the button of an approval with the browser's answer. */
export async function finishApprove(posted: FormData) {
  const form = await readForm(posted);
  const given = { site: consoleSite(), refid: form.refid, answer: form.read("answer") };
  const approved = await perform(approveWithdrawal, form, given);
  if (!approved.ok) return { notice: approved.reason } as const;
  redirect(`${form.page}?notice=${approved.forSigner ? "approval_stored" : "withdrawal_approved"}`);
}

type FailRefusal = Extract<Awaited<ReturnType<typeof failWithdrawal>>, { reason: string }>["reason"];

const DECLINE_NOTICES = {
  withdrawal_not_found: "withdrawal_not_found",
  withdrawal_not_sent: "withdrawal_under_way",
  withdrawal_already_sent: "withdrawal_under_way",
  withdrawal_may_still_pay: "withdrawal_under_way",
  withdrawal_not_abandoned: "withdrawal_under_way",
  withdrawal_abandoned: "withdrawal_under_way",
  withdrawal_failed: "withdrawal_under_way",
  withdrawal_completed: "withdrawal_under_way",
  withdrawal_changed: "withdrawal_under_way",
} as const satisfies Readonly<Record<FailRefusal, NoticeCode>>;

/** Form action: decline a withdrawal for which nothing was sent. Its reservation returns to the balance. */
export async function declineWithdrawal(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const { name } = await requireSignedIn();
  const declined = await perform(failWithdrawal, form, { refid: form.refid, reason: `declined by ${name}` });
  const notice = declined.ok ? "withdrawal_declined" : DECLINE_NOTICES[declined.reason];
  const page = notice === "withdrawal_not_found" ? `${form.base}/money/withdrawals` : form.page;
  redirect(`${page}?notice=${notice}`);
}

/** Form action: demand the approval of a second person. Only the operator can end that. */
export async function switchSecondPerson(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "money/withdrawals");
  const set = await perform(setSecondPerson, request, { secondPerson: read("second") !== "off" });
  endAt(request.page, set, "settings_saved");
}
