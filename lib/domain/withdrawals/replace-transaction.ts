import { getFamily } from "#lib/chains/families.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import {
  refuseTakenHash,
  returnUpdated,
  type SubmissionRefusal,
  type TransactionSubmission,
  updateSubmittedTransactions,
} from "./mark-sent.ts";
import {
  addObservations,
  newSubmittedTransaction,
  type ObservationRefusal,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { areExclusive, canPayExactly, canReplaceAll } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus } from "./rules.ts";
import { isHashTaken, lockWithdrawal } from "./store.ts";
import type { TransactionObservation, WithdrawalObservation, WithdrawalRow } from "./types.ts";

export type ReplaceTransactionRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | "transaction_already_submitted"
  | "not_a_replacement"
  | "withdrawal_changed";

/**
 * Submits another transaction for a withdrawal that is being processed. At most one of its transactions may ever pay. So
 * the successor must spend what every earlier one spends (an outpoint or the sender's nonce), unless it is proven
 * that the earlier one cannot pay. A successor that replaces another may pay something else: this cancels a payment, and
 * once it is final the withdrawal can fail. All earlier transactions stay followed. The one that the chain accepts counts.
 */
export async function replaceTransaction(
  { db, networks }: WithdrawalDeps,
  { env, refid, txHash, actor }: TransactionSubmission,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | { ok: false; reason: ReplaceTransactionRefusal }> {
  const found = await findWithdrawalByRefid(db, { env, refid, merchantId: null });
  if (found === null) return { ok: false, reason: "withdrawal_not_found" };
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "replaced");
  if (!allowed.ok) return allowed;
  const former = found.transactions;
  if (former.some((one) => one.hash === hash)) return { ok: false, reason: "transaction_already_submitted" };
  const observed = await tryObserveTransactions(networks.find(env, found.network), [
    ...former,
    newSubmittedTransaction(hash, now),
  ]);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const successor = transactions.at(-1);
  const earlier = transactions.slice(0, -1);
  if (!successor) throw new Error("the successor was not observed");
  const refusal = replacementRefusal(found, successor, { ...observed.observation, transactions: earlier });
  if (refusal !== null) return { ok: false, reason: refusal };
  return refuseTakenHash(() =>
    db.transaction(async (tx) => {
      const locked = await lockWithdrawal(tx, found.id);
      const moved = nextWithdrawalStatus(locked?.status ?? found.status, "replaced");
      if (!moved.ok) return moved;
      const stored = locked && addObservations(locked.transactions, earlier);
      if (!stored) return { ok: false, reason: "withdrawal_changed" } as const;
      if (await isHashTaken(tx, found, hash)) return { ok: false, reason: "tx_hash_taken" } as const;
      const submitted = {
        status: moved.status,
        transactions: [...stored, toSubmittedTransaction(successor)],
      };
      await updateSubmittedTransactions(tx, found.id, submitted, now);
      const entry = { actor, action: "withdrawal.replace", subject: `withdrawal:${refid}` };
      const details = { env, tx_hash: hash, replaces: found.txHash };
      await recordDecision(tx, { ...entry, details }, now);
      return returnUpdated(tx, found.id);
    }),
  );
}

/** Returns why the successor is refused, or null. */
function replacementRefusal(
  found: WithdrawalRow,
  successor: TransactionObservation,
  earlier: WithdrawalObservation,
): "not_a_replacement" | "transaction_amount_mismatch" | null {
  if (!canReplaceAll(found, successor, earlier)) return "not_a_replacement";
  const replacesOne = earlier.transactions.some((one) => areExclusive(one, successor));
  return replacesOne || canPayExactly(found, successor) ? null : "transaction_amount_mismatch";
}
