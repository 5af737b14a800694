import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { failpoint } from "#lib/platform/failpoint.ts";
import { waitsForApproval } from "./approval-rules.ts";
import { updateSubmittedTransactions } from "./mark-sent.ts";
import { newSubmittedTransaction } from "./observe-transactions.ts";
import { nextWithdrawalStatus } from "./rules.ts";
import { insertOutgoingTransaction, lockPayable, lockWithdrawal } from "./store.ts";
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
    await submit(tx, { ...row, status: moved.status }, signed, { actor, action: "withdrawal.sent", at: now });
    failpoint("payout-stored");
    return true;
  });
}

/**
 * Stores another transaction of a withdrawal that is being processed, as payWithdrawal does. It must spend what an earlier one of the
 * withdrawal spends, so that the chain accepts only one of them. Returns whether it is stored. Only then may it be broadcast.
 */
export function replacePayment(
  db: Db,
  { id, actor }: { readonly id: number; readonly actor: string },
  signed: SignedPayment,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const row = await lockWithdrawal(tx, id);
    if (row === null) return false;
    if (row.transactions.some(({ hash }) => hash === signed.hash)) return true;
    const moved = nextWithdrawalStatus(row.status, "replaced");
    const isExclusive = row.transactions.some(({ spends }) =>
      spends.some((one) => signed.spends.includes(one)),
    );
    if (!moved.ok || !isExclusive) return false;
    await submit(tx, row, signed, { actor, action: "withdrawal.replace", at: now });
    return true;
  });
}

async function submit(
  tx: Tx,
  row: WithdrawalRow,
  { hash, raw, spends }: SignedPayment,
  { at: now, ...decision }: { readonly actor: string; readonly action: string; readonly at: Date },
): Promise<void> {
  const { id, env, network, refid, status } = row;
  await insertOutgoingTransaction(tx, { env, network, hash, raw }, now);
  const transactions = [...row.transactions, { ...newSubmittedTransaction(hash, now), spends }];
  await updateSubmittedTransactions(tx, id, { status, transactions }, now);
  const details = { env, tx_hash: hash };
  await recordDecision(tx, { ...decision, subject: `withdrawal:${refid}`, details }, now);
}
