import { attentionSubject } from "#lib/domain/attention/rules.ts";
import { clearAttention } from "#lib/domain/attention/set-aside.ts";
import { openBatch, postTransfer, postTransfers } from "#lib/domain/ledger/post-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import type { WithdrawalEventType } from "#lib/domain/webhooks/events.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { nextWithdrawalStatus, withdrawalCauses } from "../rules.ts";
import { lockWithdrawal, updateWithdrawal } from "../store.ts";
import type { Withdrawal, WithdrawalDeps, WithdrawalRow } from "../types.ts";
import { emitWithdrawalEvent } from "../withdrawal-record.ts";

/**
 * Completes a withdrawal that the transaction `hash` paid: posts the send to the ledger and emits the webhook event, in
 * one transaction. Returns false when another worker has ended the withdrawal, or when the transaction is no longer one
 * of its submitted transactions.
 */
export function completeWithdrawal(
  deps: WithdrawalDeps,
  id: number,
  hash: string,
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    const moved = row && nextWithdrawalStatus(row.status, "paid");
    if (!row || !moved?.ok || !row.transactions.some((one) => one.hash === hash)) return false;
    await postCompletion(tx, deps, { ...row, status: moved.status, txHash: hash }, now);
    return true;
  });
}

/** Posts the send of a completed withdrawal and ends it, in the transaction that holds its row's lock. */
export async function postCompletion(
  tx: Tx,
  deps: Pick<WithdrawalDeps, "networks">,
  completed: WithdrawalRow,
  now: Date,
): Promise<void> {
  await postSend(tx, completed, now);
  const row = { ...completed, finding: null, failureReason: null };
  await endWithdrawal(tx, deps, { row, type: "withdrawal_completed" }, now);
}

/**
 * Ends a withdrawal that the operator gave up: returns the reservation to the merchant and emits the webhook event, in
 * one transaction. Returns false when another worker has ended the withdrawal.
 */
export function releaseWithdrawal(deps: WithdrawalDeps, id: number, now: Date): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    const moved = row && nextWithdrawalStatus(row.status, "released");
    if (!row || !moved?.ok) return false;
    await releaseReservation(tx, row, now);
    const ended = { ...row, status: moved.status };
    await endWithdrawal(tx, deps, { row: ended, type: "withdrawal_failed" }, now);
    return true;
  });
}

export async function endWithdrawal(
  tx: Tx,
  { networks }: Pick<WithdrawalDeps, "networks">,
  { row, type }: { readonly row: WithdrawalRow; readonly type: WithdrawalEventType },
  now: Date,
): Promise<void> {
  const { status, amount, txHash, transactions, finding, failureReason } = row;
  const changes = { status, amount, txHash, transactions, finding, failureReason, processedAt: now };
  await updateWithdrawal(tx, row.id, changes, now);
  const ended = { ...row, processedAt: now, updatedAt: now };
  await emitWithdrawalEvent(tx, networks, { row: ended, type }, now);
  // Nothing is tried again that would remove the mark.
  await clearAttention(tx, [attentionSubject("withdrawal", row.refid)]);
}

/**
 * Posts a send of another amount than the reserved one. The rest returns to the merchant, who is then debited as if it had been asked for.
 * An excess over the reserved amount is a cost of the operator, or owed by the merchant.
 */
export async function postOtherSend(
  tx: Tx,
  row: Withdrawal,
  { paid, excess }: { readonly paid: bigint; readonly excess: "costs" | "merchant" },
  now: Date,
): Promise<void> {
  const { id, env, token, network, merchantId, amount, fee } = row;
  if (paid > amount) {
    const from = excess === "costs" ? (`costs:${network}` as const) : (`receivable:${merchantId}` as const);
    const cause = withdrawalCauses(row).excess;
    await postTransfer(tx, { env, token, from, to: `custody:${network}`, amount: paid - amount, cause }, now);
    return postSend(tx, row, now);
  }
  await releaseReservation(tx, row, now, paid + fee);
  const { settle: cause } = withdrawalCauses(row);
  const [from, to] = [`merchant:${merchantId}`, `reserved:${id}`] as const;
  await postTransfers(tx, [{ env, token, from, to, amount: paid + fee, cause }], now);
  await postSend(tx, { ...row, amount: paid }, now);
}

/** Posts the send from the reservation: the amount leaves the network's custody, and the fee is earned. */
async function postSend(tx: Tx, row: Withdrawal, now: Date): Promise<void> {
  const { id, env, token, network, amount, fee } = row;
  const causes = withdrawalCauses(row);
  const from = `reserved:${id}` as const;
  const send = { env, token, from, to: `custody:${network}`, amount, cause: causes.send } as const;
  const earn = { env, token, from, to: "fees", amount: fee, cause: causes.fee } as const;
  await postTransfers(tx, fee > 0n ? [send, earn] : [send], now);
}

/**
 * Returns the reservation to the merchant. When the merchant owes money by now (a credit was reversed after it was
 * spent), the debt is repaid from it, as from a credit, except from what is `kept` for another transfer.
 */
async function releaseReservation(tx: Tx, row: Withdrawal, now: Date, kept = 0n): Promise<void> {
  const { id, env, token, merchantId } = row;
  const { reserve, release, repayment } = withdrawalCauses(row);
  const merchant = `merchant:${merchantId}` as const;
  const receivable = `receivable:${merchantId}` as const;
  const keys = [`reserved:${id}` as const, merchant, receivable].map((code) => ({ env, token, code }));
  // Locks all accounts at once, in the common lock order.
  const book = await openBatch(tx, keys, now);
  const debt = -book.balance({ env, token, code: receivable });
  await reverseTransfer(tx, reserve, release, now);
  if (debt <= 0n) return;
  let amount = row.amount + row.fee - kept;
  if (debt < amount) amount = debt;
  if (amount === 0n) return;
  await postTransfer(tx, { env, token, from: merchant, to: receivable, amount, cause: repayment }, now);
}
