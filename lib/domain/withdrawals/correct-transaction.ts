import { getFamily } from "#lib/chains/families.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
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
  isKnownToAnyNode,
  newSubmittedTransaction,
  type ObservationRefusal,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { canPayExactly, canReplaceAll, wasSeen } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus } from "./rules.ts";
import { isHashTaken, lockWithdrawal, updateFinding } from "./store.ts";
import type { SubmittedTransaction, TransactionObservation, WithdrawalRow } from "./types.ts";

export type CorrectTransactionRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | "transaction_already_submitted"
  | "transaction_unknown"
  | "transaction_was_seen"
  | "nodes_incomplete"
  | "not_a_replacement"
  | "withdrawal_changed";

type Refusal = { readonly ok: false; readonly reason: CorrectTransactionRefusal };
const refuse = (reason: CorrectTransactionRefusal): Refusal => ({ ok: false, reason });

/** What the nodes reported for a correction. `earlier` are all stored transactions, the mistyped one last. */
interface CorrectionProof {
  readonly earlier: readonly TransactionObservation[];
  readonly corrected: SubmittedTransaction;
  /** A node knows the hash that should be mistyped. */
  readonly known: boolean;
}

/**
 * Corrects the newest submitted hash of a withdrawal, which was mistyped. The mistyped hash is no longer followed. So no
 * node may ever have reported it, every node must say now that it does not know it, and one must know the correct
 * transaction: a correction cannot drop a transaction that is on its way.
 */
export async function correctTransaction(
  deps: WithdrawalDeps,
  { env, refid, txHash, actor }: TransactionSubmission,
  now: Date,
): Promise<{ ok: true; withdrawal: WithdrawalRow } | Refusal> {
  const found = await findWithdrawalByRefid(deps.db, { env, refid, merchantId: null });
  if (found === null) return refuse("withdrawal_not_found");
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refuse("tx_hash_malformed");
  const allowed = nextWithdrawalStatus(found.status, "replaced");
  if (!allowed.ok) return allowed;
  const proof = await proveMistyped(deps, found, newSubmittedTransaction(hash, now));
  if (!proof.ok) return proof;
  return refuseTakenHash(() =>
    deps.db.transaction(async (tx) => {
      const dropped = await dropMistyped(tx, found, proof);
      if (!dropped.ok) return dropped;
      if (await isHashTaken(tx, found, hash)) return refuse("tx_hash_taken");
      const submitted = { status: dropped.status, transactions: [...dropped.rest, proof.corrected] };
      await updateSubmittedTransactions(tx, found.id, submitted, now);
      const entry = { actor, action: "withdrawal.correct", subject: `withdrawal:${refid}` };
      await recordDecision(tx, { ...entry, details: { env, tx_hash: hash, mistyped: found.txHash } }, now);
      return returnUpdated(tx, found.id);
    }),
  );
}

/** Asks the nodes about the mistyped and the correct transaction. */
async function proveMistyped(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  submitted: SubmittedTransaction,
): Promise<({ ok: true } & CorrectionProof) | Refusal> {
  const { env, network, transactions: former } = found;
  if (former.some(({ hash }) => hash === submitted.hash)) return refuse("transaction_already_submitted");
  const adapter = networks.find(env, network);
  const observed = await tryObserveTransactions(adapter, [...former, submitted]);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const [earlier, corrected, mistyped] = [
    transactions.slice(0, -1),
    transactions.at(-1),
    transactions.at(-2),
  ];
  if (!adapter || !corrected || !mistyped) throw new Error("the transactions were not observed");
  const known = wasSeen(mistyped) || (await isKnownToAnyNode(adapter, mistyped.hash));
  if (known === null) return refuse("nodes_incomplete");
  const proof = { ok: true, earlier, corrected: toSubmittedTransaction(corrected), known } as const;
  // The fact that it is known is stored first.
  if (known) return proof;
  if (corrected.onChain === null) return refuse("transaction_unknown");
  if (!canPayExactly(found, corrected)) return refuse("transaction_amount_mismatch");
  const others = { ...observed.observation, transactions: earlier.slice(0, -1) };
  return canReplaceAll(found, corrected, others) ? proof : refuse("not_a_replacement");
}

/**
 * Locks the withdrawal and returns its transactions without the mistyped one. When a node knows that one, this is stored
 * and the correction refused: no later correction succeeds, whatever the nodes say then.
 */
async function dropMistyped(
  tx: Tx,
  { id, status }: WithdrawalRow,
  { earlier, known }: CorrectionProof,
): Promise<{ ok: true; status: WithdrawalRow["status"]; rest: readonly SubmittedTransaction[] } | Refusal> {
  const locked = await lockWithdrawal(tx, id);
  const moved = nextWithdrawalStatus(locked?.status ?? status, "replaced");
  if (!moved.ok) return moved;
  const stored = locked && addObservations(locked.transactions, earlier);
  const mistyped = stored?.at(-1);
  if (!stored || !mistyped) return refuse("withdrawal_changed");
  const rest = stored.slice(0, -1);
  if (!known && !mistyped.seen) return { ok: true, status: moved.status, rest };
  const { finding, failureReason } = locked;
  const transactions = [...rest, { ...mistyped, seen: true }];
  await updateFinding(tx, id, { transactions, finding, failureReason });
  return refuse("transaction_was_seen");
}
