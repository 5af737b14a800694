import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import type { WithdrawalDeps } from "./create-withdrawal.ts";
import { endWithdrawal, postOtherSend } from "./end-withdrawal.ts";
import { refuseTakenHash, returnUpdated } from "./mark-sent.ts";
import {
  addObservations,
  newSubmittedTransaction,
  type ObservationRefusal,
  observeOnEachNode,
  refuseIfKnown,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "./observe-transactions.ts";
import { wasSeen } from "./outcome-rules.ts";
import { findWithdrawalByRefid } from "./queries.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "./rules.ts";
import {
  pairRefusal,
  proveOtherAmount,
  type SettlementProofRefusal,
  settlementText,
} from "./settlement-rules.ts";
import { findSettlement, lockSettlement, updateSettlement, upsertSettlement } from "./settlement-store.ts";
import { isHashTaken, lockHashHolders, lockWithdrawal } from "./store.ts";
import type {
  SettlementTerms,
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalObservation,
  WithdrawalRow,
} from "./types.ts";

export type SettleOtherwiseRefusal =
  | "withdrawal_not_found"
  | "tx_hash_malformed"
  | "tx_hash_taken"
  | "withdrawal_changed"
  | "nodes_incomplete"
  | "settlement_not_found"
  | "settlement_changed"
  | "approver_unknown"
  | "approver_key_wrong"
  | "approval_by_proposer"
  | TransitionRefusal
  | ObservationRefusal
  | SettlementProofRefusal;

type Refusal = { readonly ok: false; readonly reason: SettleOtherwiseRefusal };
type Done = { readonly ok: true; readonly withdrawal: WithdrawalRow };
const refuse = (reason: SettleOtherwiseRefusal): Refusal => ({ ok: false, reason });

/** A person who settles, with their secret key (32 bytes of hex). */
export interface Settler {
  readonly name: string;
  readonly secretKey: string;
  /** Public keys (hex) of all who may settle, by their names. */
  readonly keys: ReadonlyMap<string, string>;
  /** For the audit log. */
  readonly actor: string;
}

export interface SettlementProposal extends Omit<SettlementTerms, "paid"> {
  readonly refid: string;
  /** Ledger units. Null if the chain's report decides. */
  readonly asserted: bigint | null;
}

/**
 * Proposes to complete a withdrawal with a final transaction that paid its address another amount. The chain must prove the amount, or a
 * person asserts it where a contract may have paid. No money moves before another person approves it.
 */
export async function proposeSettlement(
  deps: WithdrawalDeps,
  settler: Settler,
  { refid, txHash, asserted, excess, reason }: SettlementProposal,
  now: Date,
): Promise<(Done & { readonly terms: SettlementTerms }) | Refusal> {
  const found = await findWithdrawalByRefid(deps.db, { env: null, refid, merchantId: null });
  if (found === null) return refuse("withdrawal_not_found");
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refuse("tx_hash_malformed");
  const proof = await prove(deps, found, hash, asserted);
  if (!proof.ok) return proof;
  const terms = { txHash: hash, paid: proof.paid, excess, reason };
  const signature = sign(settler, settlementText(found, terms));
  if (signature === null) return refuse("approver_key_wrong");
  return deps.db.transaction(async (tx) => {
    const locked = await lockWithdrawal(tx, found.id);
    const moved = nextWithdrawalStatus(locked?.status ?? found.status, "paid");
    if (!moved.ok) return moved;
    const proposed = { proposedBy: settler.name, proposal: signature, asked: found.amount, createdAt: now };
    await upsertSettlement(tx, { withdrawalId: found.id, ...terms, ...proposed });
    await record(tx, settler, { row: found, terms, action: "withdrawal.propose_settlement" }, now);
    return { ...(await returnUpdated(tx, found.id)), terms };
  });
}

/**
 * Completes a withdrawal as another person has proposed. The chain is asked again: the transaction must still be final and pay the proposed
 * amount. What was really paid leaves the books, and is the withdrawal's amount from then on.
 */
export async function approveSettlement(
  deps: WithdrawalDeps,
  settler: Settler,
  refid: string,
  now: Date,
): Promise<Done | Refusal> {
  const found = await findWithdrawalByRefid(deps.db, { env: null, refid, merchantId: null });
  if (found === null) return refuse("withdrawal_not_found");
  const allowed = nextWithdrawalStatus(found.status, "paid");
  if (!allowed.ok) return allowed;
  const proposal = await findSettlement(deps.db, found.id);
  if (proposal === null) return refuse("settlement_not_found");
  const pair = pairRefusal(settler.keys, proposal.proposedBy, settler.name);
  if (pair !== null) return refuse(pair);
  const text = settlementText(found, proposal);
  const proposerKey = settler.keys.get(proposal.proposedBy) ?? "";
  if (!verify(proposerKey, text, proposal.proposal)) return refuse("settlement_changed");
  const approval = sign(settler, text);
  if (approval === null) return refuse("approver_key_wrong");
  const proof = await prove(deps, found, proposal.txHash, proposal.paid);
  if (!proof.ok) return proof;
  return refuseTakenHash(() =>
    deps.db.transaction(async (tx) => {
      const { transactions: observed } = proof;
      if (found.paymentLinkId !== null) await wakeLink(tx, found.paymentLinkId, now);
      const settled = await complete(tx, deps, { found, terms: proposal, text, observed }, now);
      if (!settled.ok) return settled;
      await updateSettlement(tx, found.id, { approvedBy: settler.name, approval, approvedAt: now });
      await record(
        tx,
        settler,
        { row: found, terms: proposal, action: "withdrawal.approve_settlement" },
        now,
      );
      return returnUpdated(tx, found.id);
    }),
  );
}

/** The transactions of the withdrawal as the chain reports them, the one that paid last. No node may know better. */
async function prove(
  { networks }: WithdrawalDeps,
  found: WithdrawalRow,
  hash: string,
  asserted: bigint | null,
): Promise<{ ok: true; paid: bigint; transactions: readonly TransactionObservation[] } | Refusal> {
  const allowed = nextWithdrawalStatus(found.status, "paid");
  if (!allowed.ok) return allowed;
  const payment: SubmittedTransaction =
    found.transactions.find((one) => one.hash === hash) ?? newSubmittedTransaction(hash, new Date());
  const others = found.transactions.filter((one) => one.hash !== hash);
  const adapter = networks.find(found.env, found.network);
  const observed = await tryObserveTransactions(adapter, [...others, payment]);
  if (!observed.ok) return observed;
  if (adapter === null) return refuse("network_off");
  const { transactions } = observed.observation;
  const proven = proveLast(found, observed.observation, asserted);
  if (!proven.ok) return proven;
  const refusal =
    (await refuseIfKnown(adapter, transactions.slice(0, -1))) ??
    (await refuseIfContradicted(adapter, { found, transactions, paid: proven.paid, asserted }));
  return refusal === null ? { ...proven, transactions } : refuse(refusal);
}

function proveLast(found: WithdrawalRow, observation: WithdrawalObservation, asserted: bigint | null) {
  const last = observation.transactions.at(-1);
  if (last === undefined) throw new Error("the payment was not observed");
  return proveOtherAmount(found, last, observation, asserted);
}

/** Why a node that knows one of the transactions does not prove the same amount, or null. */
async function refuseIfContradicted(
  adapter: NetworkAdapter,
  given: {
    readonly found: WithdrawalRow;
    readonly transactions: readonly SubmittedTransaction[];
    readonly paid: bigint;
    readonly asserted: bigint | null;
  },
): Promise<SettlementProofRefusal | null> {
  const { found, transactions, paid, asserted } = given;
  for (const observation of await observeOnEachNode(adapter, transactions)) {
    const said = proveLast(found, observation, asserted);
    if (!said.ok) return said.reason;
    if (said.paid !== paid) return "settlement_amount_wrong";
  }
  return null;
}

async function complete(
  tx: Tx,
  deps: WithdrawalDeps,
  {
    found,
    terms,
    text,
    observed,
  }: {
    readonly found: WithdrawalRow;
    readonly terms: SettlementTerms;
    /** What both have signed. */
    readonly text: string;
    readonly observed: readonly TransactionObservation[];
  },
  now: Date,
): Promise<{ ok: true } | Refusal> {
  const { txHash, paid } = terms;
  await lockHashHolders(tx, found, txHash);
  const locked = await lockWithdrawal(tx, found.id);
  const moved = nextWithdrawalStatus(locked?.status ?? found.status, "paid");
  if (!moved.ok) return moved;
  const former = locked?.transactions.filter((one) => one.hash !== txHash);
  const payment = observed.at(-1);
  const others = former && addObservations(former, observed.slice(0, -1));
  // A worker has meanwhile seen one that counted as mistyped: it may pay.
  const isSeenNow = observed.slice(0, -1).some((other, i) => others?.[i]?.seen && !wasSeen(other));
  if (!locked || !others || !payment || isSeenNow || locked.amount !== found.amount)
    return refuse("withdrawal_changed");
  const stored = await lockSettlement(tx, found.id);
  if (stored === null || settlementText(locked, stored) !== text) return refuse("settlement_changed");
  if (await isHashTaken(tx, locked, txHash)) return refuse("tx_hash_taken");
  await postOtherSend(tx, locked, terms, now);
  const transactions = [...others, toSubmittedTransaction(payment)];
  const settled = { ...locked, status: moved.status, amount: paid, txHash, transactions };
  const row = { ...settled, finding: null, failureReason: null };
  await endWithdrawal(tx, deps, { row, type: "withdrawal_completed" }, now);
  return { ok: true };
}

function record(
  tx: Tx,
  { actor, name }: Settler,
  { row, terms, action }: { row: WithdrawalRow; terms: SettlementTerms; action: string },
  now: Date,
): Promise<void> {
  const { txHash: tx_hash, paid, excess, reason } = terms;
  const amounts = { asked: row.amount.toString(), paid: paid.toString() };
  const details = { env: row.env, settler: name, tx_hash, ...amounts, excess, reason };
  return recordDecision(tx, { actor, action, subject: `withdrawal:${row.refid}`, details }, now);
}

/** Null if the key is not the one that is registered for the name. */
function sign({ name, secretKey, keys }: Settler, text: string): string | null {
  try {
    const secret = hexToBytes(secretKey);
    if (bytesToHex(ed25519.getPublicKey(secret)) !== keys.get(name)) return null;
    return bytesToHex(ed25519.sign(utf8ToBytes(text), secret));
  } catch {
    return null;
  }
}

function verify(publicKey: string, text: string, signature: string): boolean {
  try {
    return ed25519.verify(hexToBytes(signature), utf8ToBytes(text), hexToBytes(publicKey));
  } catch {
    return false;
  }
}
