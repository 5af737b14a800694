"use server";

import { notFound, redirect } from "next/navigation";
import { actorOf } from "#lib/domain/authority/actor.ts";
import {
  approveWithdrawal,
  setSecondPerson,
  startApproval,
} from "#lib/domain/withdrawals/approve-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { consoleSite, fieldsOf, requireDesk, requireRecent } from "../../../../../session.ts";

/** The withdrawal of a posted form, for a person who may approve it. */
async function requireApprover(posted: FormData) {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "withdrawals.approve");
  const refid = /^[0-9]{16}$/.test(read("withdrawal")) ? read("withdrawal") : "0";
  const { signedIn, workplace, env } = desk;
  const request = { merchantId: workplace.merchantId, env, refid, userId: signedIn.userId };
  return { desk, request, read, page: `${desk.base}/money/withdrawals/${refid}` };
}

/** Called by the button of an approval: what the passkey must sign. */
export async function startApprove(posted: FormData) {
  const { request } = await requireApprover(posted);
  const started = await startApproval(getServices().database.db, consoleSite(), request);
  if (!started.ok) return { notice: started.reason } as const;
  return { kind: "get", options: JSON.stringify(started.options) } as const;
}

/** Called by the button of an approval with the browser's answer. */
export async function finishApprove(posted: FormData) {
  const { request, read, page } = await requireApprover(posted);
  const given = { ...request, answer: read("answer") };
  const approved = await approveWithdrawal(getServices().database.db, consoleSite(), given, new Date());
  if (!approved.ok) return { notice: approved.reason } as const;
  redirect(`${page}?notice=${approved.forSigner ? "approval_stored" : "withdrawal_approved"}`);
}

/** Form action: decline a withdrawal for which nothing was sent. Its reservation returns to the balance. */
export async function declineWithdrawal(posted: FormData): Promise<void> {
  const { desk, request, page } = await requireApprover(posted);
  requireRecent(desk.signedIn, page);
  const { database, networks } = getServices();
  const found = await findWithdrawalByRefid(database.db, request);
  if (found === null) return redirect(`${desk.base}/money/withdrawals?notice=withdrawal_not_found`);
  const { env, refid, userId } = request;
  const decision = { env, refid, reason: `declined by ${desk.signedIn.name}`, actor: actorOf(userId) };
  const declined =
    found.status === 0 && (await failWithdrawal({ db: database.db, networks }, decision, new Date())).ok;
  redirect(`${page}?notice=${declined ? "withdrawal_declined" : "withdrawal_under_way"}`);
}

/** Form action: demand the approval of a second person. Only the operator can end that. */
export async function switchSecondPerson(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "withdrawals.policy");
  const page = `${desk.base}/money/withdrawals`;
  requireRecent(desk.signedIn, page);
  const secondPerson = read("second") !== "off";
  const { role, merchantId } = desk.workplace;
  if (!secondPerson && role !== "operator") notFound();
  const change = { actor: actorOf(desk.signedIn.userId), merchantId, secondPerson };
  const isSet = await getServices().database.db.transaction((tx) => setSecondPerson(tx, change, new Date()));
  redirect(`${page}?notice=${isSet ? "settings_saved" : "second_person_missing"}`);
}
