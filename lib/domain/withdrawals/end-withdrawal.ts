import { openBatch, postTransfer, postTransfers } from "#lib/domain/ledger/post-transfers.ts";
import { reverseTransfer } from "#lib/domain/ledger/reverse-transfers.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { emitWithdrawalEvent } from "./emit-withdrawal-event.ts";
import { nextWithdrawalStatus, withdrawalCauses } from "./rules.ts";
import { lockWithdrawal, updateWithdrawal } from "./store.ts";
import type { Withdrawal, WithdrawalRow } from "./types.ts";

/** Books the send that `hash` made, and tells the merchant. False: somebody else ended it before. */
export function completeWithdrawal(
  deps: WithdrawalDeps,
  id: number,
  hash: string,
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    const moved = row && nextWithdrawalStatus(row.status, "paid");
    if (!row || !moved?.ok) return false;
    await postSend(tx, row, now);
    const ended = { ...row, status: moved.status, txHash: hash, failureReason: null };
    await endWithdrawal(tx, deps, ended, "withdrawal_completed", now);
    return true;
  });
}

/** Gives back what was reserved for a withdrawal that was given up, and tells the merchant. False as above. */
export function releaseWithdrawal(deps: WithdrawalDeps, id: number, now: Date): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    const moved = row && nextWithdrawalStatus(row.status, "released");
    if (!row || !moved?.ok) return false;
    await releaseReservation(tx, row, now);
    await endWithdrawal(tx, deps, { ...row, status: moved.status }, "withdrawal_failed", now);
    return true;
  });
}

async function endWithdrawal(
  tx: Tx,
  { networks }: WithdrawalDeps,
  row: WithdrawalRow,
  type: "withdrawal_completed" | "withdrawal_failed",
  now: Date,
): Promise<void> {
  const { status, txHash, failureReason } = row;
  await updateWithdrawal(tx, row.id, { status, txHash, failureReason, processedAt: now }, now);
  await emitWithdrawalEvent(tx, networks, { ...row, processedAt: now, updatedAt: now }, type, now);
}

/** Out of what was reserved: the amount leaves the network's custody, the fee is earned. */
async function postSend(tx: Tx, row: Withdrawal, now: Date): Promise<void> {
  const { id, env, token, network, amount, fee } = row;
  const causes = withdrawalCauses(row);
  const from = `reserved:${id}` as const;
  const send = { env, token, from, to: `custody:${network}`, amount, cause: causes.send } as const;
  const earn = { env, token, from, to: "fees", amount: fee, cause: causes.fee } as const;
  await postTransfers(tx, fee > 0n ? [send, earn] : [send], now);
}

/**
 * The reservation's mirror. A merchant who came to owe meanwhile (a credit was taken back after it had been spent)
 * repays out of it, as out of a credit.
 */
async function releaseReservation(tx: Tx, row: Withdrawal, now: Date): Promise<void> {
  const { id, env, token, merchantId } = row;
  const { reserve, release, repayment } = withdrawalCauses(row);
  const merchant = `merchant:${merchantId}` as const;
  const receivable = `receivable:${merchantId}` as const;
  const keys = [`reserved:${id}` as const, merchant, receivable].map((code) => ({ env, token, code }));
  // All at once, in the one order of locks; a debt that does not exist is not made.
  const book = await openBatch(tx, [], now, keys);
  const owed = -book.balance({ env, token, code: receivable });
  await reverseTransfer(tx, reserve, release, now);
  if (owed <= 0n) return;
  let amount = row.amount + row.fee;
  if (owed < amount) amount = owed;
  await postTransfer(tx, { env, token, from: merchant, to: receivable, amount, cause: repayment }, now);
}
