import { defineVerb, refuse } from "#lib/domain/authority/define-verb.ts";
import {
  addObservations,
  isKnownToAnyNode,
  refuseDoubtedDeath,
  toSubmittedTransaction,
} from "../observe/observe-transactions.ts";
import { canPayExactly, canReplaceAll, wasSeen } from "../observe/outcome-rules.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "../rules.ts";
import { lockWithdrawal, updateFinding } from "../store.ts";
import type { TransactionObservation, WithdrawalDeps, WithdrawalRow } from "../types.ts";
import { type GivenHash, storeSubmitted } from "./mark-sent.ts";
import { observeSuccessor, type Replacement, type ReplaceTransactionRefusal } from "./replace-transaction.ts";

type CorrectTransactionRefusal =
  | ReplaceTransactionRefusal
  | "transaction_unknown"
  | "transaction_was_seen"
  | "withdrawal_changed";

type Refusal = { readonly ok: false; readonly reason: CorrectTransactionRefusal };
const refused = (reason: CorrectTransactionRefusal): Refusal => ({ ok: false, reason });

/**
 * Asks the nodes about the mistyped and the correct transaction. No node may ever have reported the mistyped hash, every node must say now
 * that it does not know it, and one must know the correct transaction: a correction cannot drop a transaction that is on its way. When a
 * node knows the mistyped one, this is stored: no later correction succeeds, whatever the nodes say then.
 */
export async function prepareCorrection(
  deps: WithdrawalDeps,
  found: WithdrawalRow,
  given: GivenHash,
  now: Date,
): Promise<({ ok: true } & Replacement) | Refusal> {
  const observed = await observeSuccessor(deps, found, given, now);
  if (!observed.ok) return observed;
  const { adapter, successor, earlier } = observed;
  const mistyped = earlier.transactions.at(-1);
  if (!mistyped) throw new Error("the mistyped transaction was not observed");
  const isKnown = wasSeen(mistyped) || (await isKnownToAnyNode(adapter, mistyped.hash));
  if (isKnown === null) return refused("nodes_incomplete");
  if (isKnown) return refused(await storeSeen(deps, found, earlier.transactions));
  if (successor.onChain === null) return refused("transaction_unknown");
  if (!canPayExactly(found, successor)) return refused("transaction_amount_mismatch");
  const others = { ...earlier, transactions: earlier.transactions.slice(0, -1) };
  if (!canReplaceAll(found, successor, others)) return refused("not_a_replacement");
  const doubt = await refuseDoubtedDeath(adapter, found, others.transactions, successor);
  if (doubt !== null) return refused(doubt);
  return { ok: true, successor: toSubmittedTransaction(successor), earlier: earlier.transactions };
}

/** Stores that a node knows the newest submitted transaction. Returns why the correction is refused. */
function storeSeen(
  { db }: WithdrawalDeps,
  { id, status }: WithdrawalRow,
  earlier: readonly TransactionObservation[],
): Promise<"transaction_was_seen" | "withdrawal_changed" | TransitionRefusal> {
  return db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, id);
    const allowed = nextWithdrawalStatus(locked?.status ?? status, "replaced");
    if (!allowed.ok) return allowed.reason;
    const stored = locked && addObservations(locked.transactions, earlier);
    const known = stored?.at(-1);
    if (!stored || !known) return "withdrawal_changed";
    const { finding, failureReason } = locked;
    const transactions = [...stored.slice(0, -1), { ...known, seen: true }];
    await updateFinding(tx, id, { transactions, finding, failureReason });
    return "transaction_was_seen";
  });
}

/**
 * Corrects the newest submitted hash of a withdrawal, which was mistyped, as prepareCorrection found it. The mistyped hash is no longer
 * followed.
 */
export const correctTransaction = defineVerb(
  "withdrawal.correct",
  (act, { refid, successor, earlier }: Replacement & { readonly refid: string }) =>
    storeSubmitted(act, { refid, event: "replaced", hash: successor.hash }, (locked) => {
      const stored = addObservations(locked.transactions, earlier);
      const mistyped = stored?.at(-1);
      if (!stored || !mistyped) return refuse("withdrawal_changed");
      // Somebody has meanwhile learned that a node knows it.
      if (mistyped.seen) return refuse("transaction_was_seen");
      return {
        ok: true,
        transactions: [...stored.slice(0, -1), successor],
        details: { mistyped: locked.txHash },
      };
    }),
);
