import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { waitsForApproval } from "./approval-rules.ts";
import { updateSubmittedTransactions } from "./mark-sent.ts";
import { newSubmittedTransaction } from "./observe-transactions.ts";
import { nextWithdrawalStatus } from "./rules.ts";
import { insertOutgoingTransaction, lockPayable } from "./store.ts";
import type { WithdrawalRow } from "./types.ts";

/** A signed transaction that pays a withdrawal. Nothing has broadcast it yet. */
export interface SignedPayment {
  /** Canonical. */
  readonly hash: string;
  /** The signed bytes, as hex. */
  readonly raw: string;
  /** What only one transaction of a chain can use: a sender's nonce ("sender:nonce"). */
  readonly spends: readonly string[];
}

/**
 * Lets `sign` pay a pending withdrawal, and stores its transaction, in one database transaction with the row locked: it cannot be
 * cancelled, changed or paid by another signer meanwhile. `sign` remembers what it signs before it returns, and returns null for a
 * withdrawal that it does not pay. Returns whether it is paid. Only then may the transaction be broadcast.
 */
export function payWithdrawal(
  db: Db,
  { id, actor }: { readonly id: number; readonly actor: string },
  sign: (row: WithdrawalRow) => Promise<SignedPayment | null>,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockPayable(tx, id);
    if (row === null || waitsForApproval(row)) return false;
    const moved = nextWithdrawalStatus(row.status, "sent");
    if (!moved.ok) return false;
    const signed = await sign(row);
    if (signed === null) return false;
    const { hash, raw, spends } = signed;
    await insertOutgoingTransaction(tx, { env: row.env, network: row.network, hash, raw }, now);
    const transaction = { ...newSubmittedTransaction(hash, now), spends };
    await updateSubmittedTransactions(tx, id, { status: moved.status, transactions: [transaction] }, now);
    const details = { env: row.env, tx_hash: hash };
    const entry = { actor, action: "withdrawal.sent", subject: `withdrawal:${row.refid}`, details };
    await recordDecision(tx, entry, now);
    failpoint("payout-stored");
    return true;
  });
}
