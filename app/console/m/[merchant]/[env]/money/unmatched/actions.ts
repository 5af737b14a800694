"use server";

import { redirect } from "next/navigation";
import { NOTICES } from "#components/console/notices.ts";
import type { WithdrawalState } from "#components/console/withdrawal-form.tsx";
import { actorOf } from "#lib/domain/authority/actor.ts";
import type { Action } from "#lib/domain/authority/role-rules.ts";
import {
  previewRefund,
  type RefundDepositRefusal,
  refundDeposit,
} from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../../../../../read-id.ts";
import { fieldsOf, requireDesk, requireRecent } from "../../../../../session.ts";
import {
  readWithdrawal,
  WITHDRAWAL_PROBLEMS,
  type WithdrawalProblem,
} from "../withdrawals/new/read-withdrawal.ts";
import { reviewOf } from "../withdrawals/review-of.ts";

/** The deposit of a posted form, for a person who may decide about it. */
async function requireResolver(posted: FormData, action: Action, pageOf: (id: number) => string) {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, action);
  const id = readId(read("deposit")) ?? 0;
  requireRecent(desk.signedIn, `${desk.base}/money/unmatched${pageOf(id)}`);
  const { merchantId } = desk.workplace;
  const merchant = await findMerchant(getServices().database.db, merchantId);
  if (merchant === null) throw new Error("the merchant of a member is missing");
  const owner = { merchantId, env: desk.env };
  return { desk, read, request: { id, email: merchant.email, actor: actorOf(desk.signedIn.userId), owner } };
}

/** Form action: credit an unmatched deposit to the merchant's own balance, once. */
export async function keepDeposit(posted: FormData): Promise<void> {
  const { desk, request } = await requireResolver(posted, "deposits.resolve", () => "");
  const { database, networks } = getServices();
  const kept = await database.db.transaction((tx) => resolveDeposit(tx, networks, request, new Date()));
  redirect(`${desk.base}/money/unmatched?notice=${kept.ok ? "deposit_credited" : kept.reason}`);
}

/**
 * Called by the form of a refund. With step "ask" it sends the deposit back and goes to the list of withdrawals. Otherwise it
 * answers what would be sent, for the person to check.
 */
export async function refundUnmatched(posted: FormData): Promise<WithdrawalState> {
  const { desk, read, request } = await requireResolver(posted, "withdrawals.create", (id) => `/${id}`);
  const { database, networks } = getServices();
  const deps = { db: database.db, networks };
  const asked = readWithdrawal(read, { env: desk.env, email: request.email });
  if (!asked.ok) return refuse(asked.problem);
  const { to, token, amount: units } = asked.request;
  const refund = { ...request, to, amount: { token, units } };
  if (read("step") !== "ask") {
    const preview = await previewRefund(deps, refund, new Date());
    if (!preview.ok) return refuse(REFUND_PROBLEMS[preview.reason]);
    return { problem: null, review: reviewOf(preview.withdrawal, preview.left) };
  }
  const made = await refundDeposit(deps, refund, new Date());
  if (!made.ok) return refuse(REFUND_PROBLEMS[made.reason]);
  redirect(`${desk.base}/money/withdrawals?notice=refund_created`);
}

const refuse = (problem: WithdrawalProblem): WithdrawalState => ({ problem, review: null });

const about = (code: keyof typeof NOTICES): WithdrawalProblem => ({ field: "pair", text: NOTICES[code] });

const REFUND_PROBLEMS: Readonly<Record<RefundDepositRefusal, WithdrawalProblem>> = {
  ...WITHDRAWAL_PROBLEMS,
  deposit_not_found: about("deposit_not_found"),
  deposit_not_confirmed: about("deposit_not_confirmed"),
  deposit_dropped: about("deposit_dropped"),
  already_resolved: about("already_resolved"),
  deposit_not_in_books: about("deposit_not_found"),
};
