import { getFamily } from "#lib/chains/families.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import {
  addObservations,
  type DeathDoubt,
  newSubmittedTransaction,
  type ObservationRefusal,
  refuseDoubtedDeath,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { areExclusive, canPayExactly, canReplaceAll } from "../observe/outcome-rules.ts";
import { nextWithdrawalStatus } from "../rules.ts";
import { isHashTaken, lockOwnWithdrawal } from "../store.ts";
import type {
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalDeps,
  WithdrawalObservation,
  WithdrawalRow,
} from "../types.ts";
import { type GivenHash, getUpdated, type SubmissionRefusal, storeTransactions } from "./mark-sent.ts";

type ReplaceTransactionRefusal =
  | SubmissionRefusal
  | ObservationRefusal
  | "transaction_already_submitted"
  | DeathDoubt
  | "not_a_replacement";

/** A transaction that replaces others, or follows dead ones. `earlier` are all stored transactions as a node reported them. */
interface Replacement {
  readonly successor: SubmittedTransaction;
  readonly earlier: readonly TransactionObservation[];
}

/**
 * Asks a node whether a transaction may be submitted in addition to the earlier ones. At most one of them may ever pay. So
 * the successor must spend what every earlier one spends (an outpoint or the sender's nonce), unless it is proven
 * that the earlier one cannot pay. A successor that replaces another may pay something else: this cancels a payment, and
 * once it is final the withdrawal can fail.
 */
export async function prepareReplacement(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  { txHash }: GivenHash,
  now: Date,
): Promise<({ ok: true } & Replacement) | { ok: false; reason: ReplaceTransactionRefusal }> {
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return { ok: false, reason: "tx_hash_malformed" };
  const allowed = nextWithdrawalStatus(found.status, "replaced");
  if (!allowed.ok) return allowed;
  const former = found.transactions;
  if (former.some((one) => one.hash === hash)) return { ok: false, reason: "transaction_already_submitted" };
  const adapter = networks.find(found.env, found.network);
  const observed = await tryObserveTransactions(adapter, [...former, newSubmittedTransaction(hash, now)]);
  if (!observed.ok) return observed;
  const { transactions } = observed.observation;
  const successor = transactions.at(-1);
  const earlier = transactions.slice(0, -1);
  if (!adapter || !successor) throw new Error("the successor was not observed");
  const refusal = replacementRefusal(found, successor, { ...observed.observation, transactions: earlier });
  if (refusal !== null) return { ok: false, reason: refusal };
  const doubt = await refuseDoubtedDeath(adapter, found, earlier, successor);
  if (doubt !== null) return { ok: false, reason: doubt };
  return { ok: true, successor: toSubmittedTransaction(successor), earlier };
}

/**
 * Submits another transaction for a withdrawal that is being processed, as prepareReplacement found it. All earlier transactions stay
 * followed. The one that the chain accepts counts.
 */
export const replaceTransaction = defineVerb(
  "withdrawal.replace",
  async (
    { tx, now, merchantId, env },
    { refid, successor, earlier }: Replacement & { readonly refid: string },
  ) => {
    const { hash } = successor;
    const locked = await lockOwnWithdrawal(tx, { merchantId, env, refid });
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, "replaced");
    if (!moved.ok) return refuse(moved.reason);
    const stored = addObservations(locked.transactions, earlier);
    if (stored === null) return refuse("withdrawal_changed");
    if (await isHashTaken(tx, locked, hash)) return refuse("tx_hash_taken");
    const submitted = { status: moved.status, transactions: [...stored, successor] };
    if (!(await storeTransactions(tx, locked.id, submitted, now))) return refuse("tx_hash_taken");
    const details = { env, tx_hash: hash, replaces: locked.txHash };
    return done(await getUpdated(tx, locked.id), { subject: `withdrawal:${refid}`, details });
  },
);

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
