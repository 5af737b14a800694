import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import type { JournalEntry, Payout, TransactionOutcome } from "./types.ts";

/** The journal's answers about a withdrawal. */
export interface SignedBefore {
  listOfWithdrawal(withdrawal: Pick<Payout, "env" | "refid">): readonly JournalEntry[];
  outcomeOf(hash: string): TransactionOutcome | null;
}

/**
 * The state of a withdrawal's signed transactions. unsigned: nothing. dead: only transactions that no block can contain, or that moved
 * nothing in theirs, so that it may be signed again. canceling: its transaction is being canceled because of another withdrawal in it.
 * Otherwise the newest transaction that pays it or can.
 */
export function payoutState(
  journal: SignedBefore,
  payout: Pick<Payout, "env" | "refid">,
): "unsigned" | "dead" | "canceling" | JournalEntry {
  const entries = journal.listOfWithdrawal(payout);
  if (entries.length === 0) return "unsigned";
  const paying = entries.findLast(
    ({ kind, hash }) => kind === "payout" && !canNeverPay(journal.outcomeOf(hash)),
  );
  if (paying === undefined) return "dead";
  const isCanceling = entries.some(
    ({ kind, hash, spends }) =>
      kind === "cancel" &&
      journal.outcomeOf(hash) !== "dead" &&
      spends.some((spent) => paying.spends.includes(spent)),
  );
  return isCanceling ? "canceling" : paying;
}

/** Whether the chain has decided that a transaction moves nothing. */
export const canNeverPay = (outcome: TransactionOutcome | null): boolean =>
  outcome === "dead" || outcome === "failed";

/**
 * Whether a withdrawal must not be paid by a signed transaction any more: it has failed, or something that this signer did not sign pays it
 * or may pay it. A withdrawal that its own transactions pay is not ended, whichever of them it is.
 */
export function isEnded(
  journal: SignedBefore,
  entry: Pick<JournalEntry, "spends">,
  row: Pick<Withdrawal, "env" | "refid" | "status" | "txHash" | "transactions">,
): boolean {
  if (row.status === "pending") return false;
  if (row.status === "failed" || row.status === "refund_queued") return true;
  const signed = journal.listOfWithdrawal(row);
  if (row.status === "completed")
    return !signed.some(({ kind, hash }) => kind === "payout" && hash === row.txHash);
  return row.transactions.some(
    ({ hash, spends }) =>
      !signed.some((one) => one.hash === hash) && !spends.some((spent) => entry.spends.includes(spent)),
  );
}

/** Whether two payouts move the same for the same withdrawal. After a restore another merchant can have its reference. */
export function isSamePayout(one: Payout | undefined, other: Payout): boolean {
  return (
    one !== undefined &&
    one.refid === other.refid &&
    one.merchantId === other.merchantId &&
    one.env === other.env &&
    one.network === other.network &&
    one.token === other.token &&
    one.amount === other.amount &&
    one.to === other.to
  );
}
