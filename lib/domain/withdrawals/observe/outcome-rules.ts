import { isFinalBlock } from "#lib/chains/finality-rules.ts";
import type {
  DeathCause,
  TransactionObservation,
  Withdrawal,
  WithdrawalObservation,
  WithdrawalOutcome,
} from "../types.ts";

/** The payment that a withdrawal needs. */
export type ExpectedPayment = Pick<Withdrawal, "token" | "toAddress" | "amount">;
type Payments = NonNullable<NonNullable<TransactionObservation["onChain"]>["payments"]>;

/** Sums what a transaction pays to the withdrawal's address in the withdrawal's token, in ledger units. */
export function sumPayments(
  { token, toAddress }: Omit<ExpectedPayment, "amount">,
  payments: Payments,
): bigint {
  return payments
    .filter((payment) => payment.token === token && payment.address === toAddress)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * Decides what the chain says about all transactions that were submitted for a withdrawal.
 * - paid: one of them pays the exact amount, in a final block.
 * - amount_mismatch: a final one pays the address another amount. A person must look at it.
 * - inconclusive: a final one may have paid in a way that the chain does not report. A person must look at it.
 * - unpayable: none of them can ever pay. The cause is that of the newest.
 * - open: it is too early to decide.
 */
export function evaluateOutcome(
  expected: ExpectedPayment,
  observation: WithdrawalObservation,
): WithdrawalOutcome {
  const { transactions } = observation;
  const final = transactions.filter((transaction) => isInFinalBlock(transaction, observation));
  const exact = final.find((transaction) => amountPaid(expected, transaction) === expected.amount);
  if (exact) return { kind: "paid", hash: exact.hash };
  if (final.some((transaction) => amountPaid(expected, transaction) > 0n)) return { kind: "amount_mismatch" };
  if (final.some((transaction) => isInconclusive(expected, transaction))) return { kind: "inconclusive" };
  const causes = transactions.map((transaction) => findDeathCause(expected, transaction, observation));
  const cause = causes.at(-1) ?? null;
  return cause === null || causes.includes(null) ? { kind: "open" } : { kind: "unpayable", cause };
}

/**
 * Returns whether `successor` can be submitted in addition to the transactions of `observation`. At most one of them
 * all must be able to pay: each earlier one either can never pay or excludes the successor.
 */
export function canReplaceAll(
  expected: ExpectedPayment,
  successor: TransactionObservation,
  observation: WithdrawalObservation,
): boolean {
  return observation.transactions.every(
    (transaction) =>
      areExclusive(transaction, successor) || findDeathCause(expected, transaction, observation) !== null,
  );
}

/**
 * Returns whether the transaction can pay exactly the expected amount, as far as the chain reports it. True while its
 * payments are unknown, and where the chain does not report all of them: once submitted, it keeps the withdrawal open.
 */
export function canPayExactly(expected: ExpectedPayment, transaction: TransactionObservation): boolean {
  const { onChain } = transaction;
  if (onChain === null || isInconclusive(expected, transaction)) return true;
  if (onChain.failed) return false;
  return onChain.payments === null || sumPayments(expected, onChain.payments) === expected.amount;
}

export type SettlementRefusal =
  | "transaction_not_final"
  | "transaction_amount_mismatch"
  | "other_transaction_may_pay";

/**
 * Returns why `payment` does not settle the withdrawal, or null. It must pay exactly the amount in a final block.
 * `observation` holds the other submitted transactions. A transaction that a node has seen must be dead, be excluded by the
 * payment, or have paid another amount in a final block. A transaction that no node has seen counts as a mistyped hash.
 */
export function settlementRefusal(
  expected: ExpectedPayment,
  payment: TransactionObservation,
  observation: WithdrawalObservation,
): SettlementRefusal | null {
  if (!canPayExactly(expected, payment)) return "transaction_amount_mismatch";
  if (!isInFinalBlock(payment, observation)) return "transaction_not_final";
  if (amountPaid(expected, payment) !== expected.amount) return "transaction_amount_mismatch";
  const mayPay = observation.transactions.some((other) => {
    if (!wasSeen(other) || areExclusive(other, payment)) return false;
    if (isInFinalBlock(other, observation)) return amountPaid(expected, other) === expected.amount;
    return findDeathCause(expected, other, observation) === null;
  });
  return mayPay ? "other_transaction_may_pay" : null;
}

/** Returns whether at most one of the two transactions can be in the chain: they spend the same outpoint or nonce. */
export function areExclusive(one: TransactionObservation, other: TransactionObservation): boolean {
  const spends = new Set(latestSpends(one));
  return latestSpends(other).some((spent) => spends.has(spent));
}

/**
 * Returns why the transaction can never pay the address anything, or null while that is not proven. There are two proofs:
 * - It is in a final block, and there it failed or paid only others, with all payments reported.
 * - It is in no block, and it has expired or a final transaction has used what it spends.
 * Only final blocks count, so that no reorg can undo the proof. A node that does not know a transaction proves nothing.
 */
function findDeathCause(
  expected: ExpectedPayment,
  transaction: TransactionObservation,
  observation: WithdrawalObservation,
): DeathCause | null {
  const { onChain, expired } = transaction;
  if (isInFinalBlock(transaction, observation)) {
    if (amountPaid(expected, transaction) > 0n || isInconclusive(expected, transaction)) return null;
    return onChain?.failed ? "failed" : "pays_others";
  }
  if (onChain !== null && onChain.block !== null) return null;
  if (expired) return "expired";
  const final = observation.transactions.filter((other) => isInFinalBlock(other, observation));
  return final.some((other) => areExclusive(transaction, other)) ? "excluded" : null;
}

/**
 * Returns the amount that a transaction paid to a withdrawal's address, and whether the chain reports all of it. Null if the transaction is
 * in no final block, or it failed.
 */
export function findFinalPayment(
  expected: ExpectedPayment,
  transaction: TransactionObservation,
  observation: WithdrawalObservation,
): { readonly paid: bigint; readonly isComplete: boolean } | null {
  if (!isInFinalBlock(transaction, observation) || transaction.onChain?.failed) return null;
  return {
    paid: amountPaid(expected, transaction),
    isComplete: !isInconclusive(expected, transaction),
  };
}

/** Whether another submitted transaction has paid or may still pay anything, so that `payment` alone does not settle the withdrawal. */
export function mayAnotherPay(
  expected: ExpectedPayment,
  payment: TransactionObservation,
  observation: WithdrawalObservation,
): boolean {
  return observation.transactions.some(
    (other) =>
      other.hash !== payment.hash &&
      wasSeen(other) &&
      !areExclusive(other, payment) &&
      findDeathCause(expected, other, observation) === null,
  );
}

function isInFinalBlock(
  { onChain }: TransactionObservation,
  { head, finality }: WithdrawalObservation,
): boolean {
  return onChain !== null && onChain.block !== null && isFinalBlock(finality, onChain.block.height, head);
}

/** Returns whether more of the token than the chain reports may have been paid to anyone. */
function isInconclusive({ token }: ExpectedPayment, { onChain }: TransactionObservation): boolean {
  return onChain?.inconclusiveToken === token && !onChain.failed;
}

function amountPaid(expected: ExpectedPayment, { onChain }: TransactionObservation): bigint {
  return onChain === null || onChain.failed ? 0n : sumPayments(expected, onChain.payments ?? []);
}

/** Returns whether a node reports the transaction now or has reported it before. Then its hash is not mistyped. */
export function wasSeen({ onChain, seen, spends, block }: TransactionObservation): boolean {
  return onChain !== null || (seen ?? (spends.length > 0 || block !== null));
}

/** Returns the `spends` that the chain reports now, otherwise those that it reported before. */
function latestSpends({ onChain, spends }: TransactionObservation): readonly string[] {
  return onChain === null || onChain.spends.length === 0 ? spends : onChain.spends;
}
