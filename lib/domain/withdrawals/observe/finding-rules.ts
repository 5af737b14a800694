import type { DeathCause, TransactionObservation, WithdrawalFinding, WithdrawalOutcome } from "../types.ts";
import { wasSeen } from "./outcome-rules.ts";

/** A node learns of a broadcast transaction in seconds. Longer than that, the hash is likely mistyped. */
const UNKNOWN_AFTER_MS = 10 * 60_000;

const REASONS: Readonly<Record<Exclude<WithdrawalFinding, "unpayable">, string>> = {
  amount_mismatch: "its transaction paid the address another amount",
  inconclusive:
    "its transaction may have paid the address in a way that the chain does not tell (through a contract, say)",
  unknown: "no node knows its transaction: the hash may be mistyped",
};
const DEATHS: Readonly<Record<DeathCause, string>> = {
  failed: "its transaction failed on the chain",
  pays_others: "its transaction is final and paid the address nothing",
  excluded: "another transaction took the place of its transaction",
  expired: "its transaction expired before a block included it",
};

/**
 * Returns what a person must look at, with its words, or null. `transactions` are all that were submitted, the newest
 * last. The worker changes no money because of it.
 */
export function describeFinding(
  outcome: WithdrawalOutcome,
  transactions: readonly TransactionObservation[],
  now: Date,
): { readonly finding: WithdrawalFinding; readonly reason: string } | null {
  const { kind } = outcome;
  if (kind === "unpayable") return { finding: kind, reason: DEATHS[outcome.cause] };
  if (kind === "amount_mismatch" || kind === "inconclusive") return { finding: kind, reason: REASONS[kind] };
  const newest = transactions.at(-1);
  if (kind === "paid" || !newest || wasSeen(newest)) return null;
  const isOverdue = now.getTime() - Date.parse(newest.namedAt) > UNKNOWN_AFTER_MS;
  return isOverdue ? { finding: "unknown", reason: REASONS.unknown } : null;
}
