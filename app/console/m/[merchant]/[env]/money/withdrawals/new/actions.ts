"use server";

import { redirect } from "next/navigation";
import { fieldsOf, perform, readRequest, requireMay } from "#app/console/session.ts";
import type { WithdrawalState } from "#components/console/withdrawal-form.tsx";
import { getMerchantBalances } from "#lib/domain/ledger/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import {
  type CheckedWithdrawal,
  checkWithdrawal,
  createWithdrawal,
} from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { getServices } from "#lib/web/services.ts";
import { reviewOf } from "../review-of.ts";
import { readWithdrawal, WITHDRAWAL_PROBLEMS, type WithdrawalProblem } from "./read-withdrawal.ts";

/**
 * Called by the form of a withdrawal or refund. With step "ask" it creates it and goes to the list, or to the refunded payment. Otherwise it answers what would be
 * sent and what it costs, for the person to check.
 */
export async function askWithdrawal(posted: FormData): Promise<WithdrawalState> {
  const read = fieldsOf(posted);
  const link = isRefid(read("link")) ? read("link") : null;
  const request = await readRequest(
    read,
    link === null ? "money/withdrawals/new" : `payments/${link}/refund`,
  );
  requireMay(createWithdrawal.verb, request);
  const { database, networks } = getServices();
  const asked = readWithdrawal(read);
  if (!asked.ok) return refuse(asked.problem);
  if (read("step") !== "ask") {
    const deps = { db: database.db, networks };
    const checked = await checkWithdrawal(deps, request.act, asked.request, request.act.now);
    return checked.ok ? review(checked.withdrawal) : refuse(WITHDRAWAL_PROBLEMS[checked.reason]);
  }
  const made = await perform(createWithdrawal, request, { networks, ...asked.request });
  if (!made.ok) return refuse(WITHDRAWAL_PROBLEMS[made.reason]);
  redirect(
    `${request.base}/${link === null ? "money/withdrawals" : `payments/${link}`}?notice=${link === null ? "withdrawal_created" : "refund_created"}`,
  );
}

const refuse = (problem: WithdrawalProblem): WithdrawalState => ({ problem, review: null });

async function review({
  request,
  merchant,
  env,
  network,
  to,
  fee,
}: CheckedWithdrawal): Promise<WithdrawalState> {
  const { token, amount } = request;
  const { units } = await getMerchantBalances(getServices().database.db, env, merchant.id);
  const left = (units.get(token) ?? 0n) - amount - fee;
  if (left < 0n) return refuse(WITHDRAWAL_PROBLEMS.insufficient_balance);
  return { problem: null, review: reviewOf({ env, network, token, toAddress: to, amount, fee }, left) };
}
