import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { findFinalPayment, mayAnotherPay } from "../observe/outcome-rules.ts";
import type { SettlementTerms, TransactionObservation, Withdrawal, WithdrawalObservation } from "../types.ts";

export type SettlementProofRefusal =
  | "transaction_not_final"
  | "transaction_pays_nothing"
  | "transaction_pays_exactly"
  | "settlement_amount_missing"
  | "settlement_amount_wrong"
  | "other_transaction_may_pay";

/**
 * Returns the amount that a transaction paid for a withdrawal, in ledger units, if it differs from the requested amount. Where the chain
 * reports all, its amount counts, and an asserted one must be the same. Where a contract may have paid, a person must assert the amount: at
 * least what is visible.
 */
export function proveOtherAmount(
  expected: Withdrawal,
  payment: TransactionObservation,
  observation: WithdrawalObservation,
  asserted: bigint | null,
): { ok: true; paid: bigint } | { ok: false; reason: SettlementProofRefusal } {
  const refuse = (reason: SettlementProofRefusal) => ({ ok: false, reason }) as const;
  const found = findFinalPayment(expected, payment, observation);
  if (found === null) return refuse("transaction_not_final");
  if (found.paid === expected.amount) return refuse("transaction_pays_exactly");
  if (mayAnotherPay(expected, payment, observation)) return refuse("other_transaction_may_pay");
  if (!found.isComplete) {
    if (asserted === null) return refuse("settlement_amount_missing");
    if (asserted <= 0n || asserted < found.paid) return refuse("settlement_amount_wrong");
    return { ok: true, paid: asserted };
  }
  if (found.paid === 0n) return refuse("transaction_pays_nothing");
  return asserted === null || asserted === found.paid
    ? { ok: true, paid: found.paid }
    : refuse("settlement_amount_wrong");
}

/** Returns the text that both persons sign. It holds everything that money depends on, and the reason. */
export function settlementText(
  { env, refid, network, token, amount, toAddress }: Withdrawal,
  { txHash, paid, excess, reason }: SettlementTerms,
): string {
  const whole = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  const asked = [env, refid, network, token, whole(amount), toAddress];
  return ["paylink settlement 1", ...asked, txHash, whole(paid), excess, JSON.stringify(reason)].join("\n");
}

/** Why these two may not settle together, or null. `keys`: public keys by the names of those who may. */
export function pairRefusal(
  keys: ReadonlyMap<string, string>,
  proposer: string,
  approver: string,
): "approver_unknown" | "approval_by_proposer" | null {
  const [first, second] = [keys.get(proposer), keys.get(approver)];
  if (first === undefined || second === undefined) return "approver_unknown";
  return proposer === approver || first === second ? "approval_by_proposer" : null;
}
