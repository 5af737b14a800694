import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { getFamily } from "#lib/chains/families.ts";
import {
  findTransactionNetwork,
  type NetworkRegistry,
  type TransactionNetwork,
} from "#lib/chains/network.ts";
import { defineVerb, done, type Entry, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { wakeLink } from "#lib/domain/payment-links/wake-link.ts";
import {
  addObservations,
  newSubmittedTransaction,
  type ObservationRefusal,
  observeOnEachNode,
  refuseIfKnown,
  toSubmittedTransaction,
  tryObserveTransactions,
} from "../observe/observe-transactions.ts";
import { wasSeen } from "../observe/outcome-rules.ts";
import { findWithdrawalByRefid } from "../queries.ts";
import { nextWithdrawalStatus, type TransitionRefusal } from "../rules.ts";
import { getUpdated, isHashFree } from "../send/mark-sent.ts";
import { isHashTaken, lockHashHolders, lockOwnWithdrawal, lockWithdrawal } from "../store.ts";
import type {
  SettlementTerms,
  SubmittedTransaction,
  TransactionObservation,
  WithdrawalDeps,
  WithdrawalObservation,
  WithdrawalRow,
} from "../types.ts";
import { endWithdrawal, postOtherSend } from "./end-withdrawal.ts";
import {
  pairRefusal,
  proveOtherAmount,
  type SettlementProofRefusal,
  settlementText,
} from "./settlement-rules.ts";
import { findSettlement, lockSettlement, updateSettlement, upsertSettlement } from "./settlement-store.ts";

type SettleOtherwiseRefusal =
  | "tx_hash_malformed"
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
const refused = (reason: SettleOtherwiseRefusal): Refusal => ({ ok: false, reason });

/** A person who settles, with their secret key (32 bytes of hex). */
export interface Settler {
  readonly name: string;
  readonly secretKey: string;
  /** Public keys (hex) of all who may settle, by their names. */
  readonly keys: ReadonlyMap<string, string>;
}

export interface SettlementProposal extends Omit<SettlementTerms, "paid"> {
  /** Ledger units. Null if the chain's report decides. */
  readonly asserted: bigint | null;
}

/** Terms that a person has signed. */
interface Proposal {
  readonly terms: SettlementTerms;
  readonly proposedBy: string;
  readonly signature: string;
  /** Ledger units. */
  readonly asked: bigint;
}

/**
 * Proves what a final transaction paid a withdrawal's address, if that is another amount, and signs it. The chain must prove the amount, or
 * a person asserts it where a contract may have paid.
 */
export async function prepareProposal(
  deps: WithdrawalDeps,
  settler: Settler,
  found: WithdrawalRow,
  { txHash, asserted, excess, reason }: SettlementProposal,
): Promise<({ ok: true } & Proposal) | Refusal> {
  const hash = getFamily(found.network).canonicalizeTransactionHash(txHash);
  if (hash === null) return refused("tx_hash_malformed");
  const proof = await prove(deps, found, hash, asserted);
  if (!proof.ok) return proof;
  const terms = { txHash: hash, paid: proof.paid, excess, reason };
  const signature = sign(settler, settlementText(found, terms));
  if (signature === null) return refused("approver_key_wrong");
  return { ok: true, terms, proposedBy: settler.name, signature, asked: found.amount };
}

/** Proposes to complete a withdrawal with another amount, as prepareProposal has proved it. No money moves before another person approves it. */
export const proposeSettlement = defineVerb(
  "withdrawal.propose_settlement",
  async (
    { tx, now, merchantId, env },
    { refid, terms, proposedBy, signature, asked }: Proposal & { readonly refid: string },
  ) => {
    const locked = await lockOwnWithdrawal(tx, { merchantId, env, refid });
    if (locked === null) return refuse("withdrawal_not_found");
    const moved = nextWithdrawalStatus(locked.status, "paid");
    if (!moved.ok) return refuse(moved.reason);
    const proposed = { proposedBy, proposal: signature, asked, createdAt: now };
    await upsertSettlement(tx, { withdrawalId: locked.id, ...terms, ...proposed });
    return done(await getUpdated(tx, locked.id), entryOf(locked, terms, proposedBy));
  },
);

/** A proposal that a second person has signed too. */
interface Approval {
  readonly terms: SettlementTerms;
  /** The text that both have signed. */
  readonly text: string;
  readonly approvedBy: string;
  readonly signature: string;
  /** All transactions of the withdrawal, the one that paid last. */
  readonly observed: readonly TransactionObservation[];
}

/** Asks the chain again about a proposed settlement, and signs it: its transaction must still be final and pay the proposed amount. */
export async function prepareSettlementApproval(
  deps: WithdrawalDeps,
  settler: Settler,
  found: WithdrawalRow,
): Promise<({ ok: true } & Approval) | Refusal> {
  const allowed = nextWithdrawalStatus(found.status, "paid");
  if (!allowed.ok) return allowed;
  const proposal = await findSettlement(deps.db, found.id);
  if (proposal === null) return refused("settlement_not_found");
  const pair = pairRefusal(settler.keys, proposal.proposedBy, settler.name);
  if (pair !== null) return refused(pair);
  const text = settlementText(found, proposal);
  const proposerKey = settler.keys.get(proposal.proposedBy) ?? "";
  if (!verify(proposerKey, text, proposal.proposal)) return refused("settlement_changed");
  const signature = sign(settler, text);
  if (signature === null) return refused("approver_key_wrong");
  const proof = await prove(deps, found, proposal.txHash, proposal.paid);
  if (!proof.ok) return proof;
  const { txHash, paid, excess, reason } = proposal;
  const terms = { txHash, paid, excess, reason };
  return { ok: true, terms, text, approvedBy: settler.name, signature, observed: proof.transactions };
}

/**
 * Completes a withdrawal as another person has proposed, after prepareSettlementApproval. The amount that was really paid leaves the
 * books, and is the withdrawal's amount from then on.
 */
export const approveSettlement = defineVerb(
  "withdrawal.approve_settlement",
  async (
    act,
    {
      networks,
      refid,
      ...approval
    }: Approval & { readonly networks: NetworkRegistry; readonly refid: string },
  ) => {
    const { tx, now, merchantId, env } = act;
    const { terms, approvedBy, signature } = approval;
    const found = await findWithdrawalByRefid(tx, { merchantId, env, refid });
    if (found === null) return refuse("withdrawal_not_found");
    if (found.paymentLinkId !== null) await wakeLink(tx, found.paymentLinkId, now);
    const settled = await complete(act, { networks }, found, approval);
    if (!settled.ok) return refuse(settled.reason);
    await updateSettlement(tx, found.id, { approvedBy, approval: signature, approvedAt: now });
    return done(await getUpdated(tx, found.id), entryOf(found, terms, approvedBy));
  },
);

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
  const adapter = findTransactionNetwork(networks, found);
  const observed = await tryObserveTransactions(adapter, [...others, payment]);
  if (!observed.ok) return observed;
  if (adapter === null) return refused("network_off");
  const { transactions } = observed.observation;
  const proven = proveLast(found, observed.observation, asserted);
  if (!proven.ok) return proven;
  const refusal =
    (await refuseIfKnown(adapter, transactions.slice(0, -1))) ??
    (await refuseIfContradicted(adapter, { found, transactions, paid: proven.paid, asserted }));
  return refusal === null ? { ...proven, transactions } : refused(refusal);
}

function proveLast(found: WithdrawalRow, observation: WithdrawalObservation, asserted: bigint | null) {
  const last = observation.transactions.at(-1);
  if (last === undefined) throw new Error("the payment was not observed");
  return proveOtherAmount(found, last, observation, asserted);
}

/** Why a node that knows one of the transactions does not prove the same amount, or does not answer. Null: every node agrees. */
async function refuseIfContradicted(
  adapter: TransactionNetwork,
  given: {
    readonly found: WithdrawalRow;
    readonly transactions: readonly SubmittedTransaction[];
    readonly paid: bigint;
    readonly asserted: bigint | null;
  },
): Promise<SettlementProofRefusal | "nodes_incomplete" | null> {
  const { found, transactions, paid, asserted } = given;
  const observations = await observeOnEachNode(adapter, transactions);
  if (observations === null) return "nodes_incomplete";
  for (const observation of observations) {
    const said = proveLast(found, observation, asserted);
    if (!said.ok) return said.reason;
    if (said.paid !== paid) return "settlement_amount_wrong";
  }
  return null;
}

async function complete(
  { tx, now }: Act,
  deps: Pick<WithdrawalDeps, "networks">,
  found: WithdrawalRow,
  { terms, text, observed }: Approval,
): Promise<
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: TransitionRefusal | "withdrawal_changed" | "settlement_changed" | "tx_hash_taken";
    }
> {
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
    return { ok: false, reason: "withdrawal_changed" };
  const stored = await lockSettlement(tx, found.id);
  if (stored === null || settlementText(locked, stored) !== text)
    return { ok: false, reason: "settlement_changed" };
  if (await isHashTaken(tx, locked, txHash)) return { ok: false, reason: "tx_hash_taken" };
  await postOtherSend(tx, locked, terms, now);
  const transactions = [...others, toSubmittedTransaction(payment)];
  const settled = { ...locked, status: moved.status, amount: paid, txHash, transactions };
  const row = { ...settled, finding: null, failureReason: null };
  const isFree = await isHashFree(() => endWithdrawal(tx, deps, { row, type: "withdrawal_completed" }, now));
  return isFree ? { ok: true } : { ok: false, reason: "tx_hash_taken" };
}

function entryOf(row: WithdrawalRow, terms: SettlementTerms, settler: string): Entry {
  const { txHash: tx_hash, paid, excess, reason } = terms;
  const amounts = { asked: row.amount.toString(), paid: paid.toString() };
  const details = { env: row.env, settler, tx_hash, ...amounts, excess, reason };
  return { subject: `withdrawal:${row.refid}`, details };
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
