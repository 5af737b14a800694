"use server";

import { redirect } from "next/navigation";
import { readId } from "#app/console/read-id.ts";
import { endAt, fieldsOf, perform, readRequest, turnAway } from "#app/console/session.ts";
import { NOTICES } from "#components/console/notices.ts";
import type { WithdrawalState } from "#components/console/withdrawal-form.tsx";
import {
  previewRefund,
  type RefundDepositRefusal,
  refundDeposit,
} from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { getServices } from "#lib/web/services.ts";
import {
  readWithdrawal,
  WITHDRAWAL_PROBLEMS,
  type WithdrawalProblem,
} from "../withdrawals/new/read-withdrawal.ts";
import { reviewOf } from "../withdrawals/review-of.ts";

/** Form action: credit an unmatched deposit to the merchant's own balance, once. */
export async function keepDeposit(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "money/unmatched");
  const { networks } = getServices();
  const kept = await perform(resolveDeposit, request, { networks, id: readId(read("deposit")) ?? 0 });
  endAt(request.page, kept, "deposit_credited");
}

/**
 * Called by the form of a refund. With step "ask" it sends the deposit back and goes to the list of withdrawals. Otherwise it
 * answers what would be sent, for the person to check.
 */
export async function refundUnmatched(posted: FormData): Promise<WithdrawalState> {
  const read = fieldsOf(posted);
  const id = readId(read("deposit")) ?? 0;
  const request = await readRequest(read, `money/unmatched/${id}`);
  const { database, networks } = getServices();
  const asked = readWithdrawal(read);
  if (!asked.ok) return refuse(asked.problem);
  const { to, token, amount: units, reason = null } = asked.request;
  const refund = { networks, id, to, amount: { token, units }, reason };
  if (read("step") !== "ask") {
    const preview = await previewRefund(database.db, request.act, refund);
    if ("barred" in preview) return turnAway(preview, request.page);
    if (!preview.ok) return refuse(REFUND_PROBLEMS[preview.reason]);
    return { problem: null, review: reviewOf(preview.withdrawal, preview.left) };
  }
  const made = await perform(refundDeposit, request, refund);
  if (!made.ok) return refuse(REFUND_PROBLEMS[made.reason]);
  redirect(`${request.page.replace(/unmatched\/\d+$/, "withdrawals")}?notice=refund_created`);
}

const refuse = (problem: WithdrawalProblem): WithdrawalState => ({ problem, review: null });

const about = (code: keyof typeof NOTICES): WithdrawalProblem => ({ field: "pair", text: NOTICES[code] });

const REFUND_PROBLEMS = {
  ...WITHDRAWAL_PROBLEMS,
  deposit_not_found: about("deposit_not_found"),
  deposit_not_confirmed: about("deposit_not_confirmed"),
  deposit_dropped: about("deposit_dropped"),
  already_resolved: about("already_resolved"),
  deposit_not_in_books: about("deposit_not_found"),
} satisfies Readonly<Record<RefundDepositRefusal, WithdrawalProblem>>;
