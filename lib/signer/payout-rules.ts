import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import { payoutState, type SignedBefore } from "./entry-rules.ts";
import { policyRefusal, type SignedDay } from "./policy-rules.ts";
import type { HoldReason, JournalEntry, Payout, Policy } from "./types.ts";

/** Returns the payout of a withdrawal. */
export function toPayout({
  env,
  network,
  refid,
  merchantId,
  token,
  amount,
  toAddress: to,
}: Pick<Withdrawal, "env" | "network" | "refid" | "merchantId" | "token" | "amount" | "toAddress">): Payout {
  return { env, network, refid, merchantId, token, amount, to };
}

/** The network that a payout must be for. `canonicalizeAddress`: null if a text is no address of the network. */
interface Place extends Pick<Payout, "env" | "network"> {
  readonly addresses: { canonicalize(text: string): string | null };
}

/**
 * Why what the database has is no payment on a network at all. Null if it is one. Limits are counted by the amount and the network that
 * stand here, and the transaction must move just that: on EVM networks a longer text than an address would write over the amount of the call.
 */
export function formRefusal({ env, network, addresses }: Place, payout: Payout): HoldReason | null {
  if (payout.env !== env || payout.network !== network) return "not_in_policy";
  if (addresses.canonicalize(payout.to) !== payout.to) return "destination_unsafe";
  return payout.amount > 0n ? null : "below_minimum";
}

/** The facts that decide about one payout. */
export interface PayoutFacts {
  readonly journal: SignedBefore;
  readonly policy: Policy;
  /** See ChainSigner. */
  readonly chain: {
    readonly mostWaiting: number;
    readonly mostFailed?: number;
    checkPayout(payout: Payout): HoldReason | null;
  };
  /** Ends at the clock. Once nodes were asked it ends at the newest block, if that is earlier: a clock that is set forward frees nothing. */
  readonly day: SignedDay;
  /** Own transactions in no block. Null until nodes are asked. */
  readonly waiting: readonly JournalEntry[] | null;
  /** The payouts that leave in the same transaction. */
  readonly group: readonly Payout[];
  /** The approvers who signed the payout. Null until their signatures are verified. */
  readonly approvers: readonly string[] | null;
  /** False while the merchant of the withdrawal is disabled. */
  readonly isMerchantActive: boolean;
  /** See LostPayouts and Turns. */
  readonly lost: { has(payout: Payout): boolean };
  readonly turns: { isDue(refid: string): boolean };
}

/**
 * An action for a withdrawal. verify, observe: signatures are verified, or nodes are asked about own transactions, and it is decided again.
 * restore: its transaction is stored again. hold: it waits, for this reason. pass: it waits for something that takes no person. join: it
 * leaves together with the group. end: no more is paid in this step.
 */
export type PayoutAction =
  | { readonly kind: "restore"; readonly entry: JournalEntry }
  | { readonly kind: "hold"; readonly reason: HoldReason }
  | { readonly kind: "verify" | "observe" | "pass" | "join" | "end" };

/**
 * Decides about a withdrawal. One that was signed once is never signed a second time while its transaction can pay it, also when the
 * database has forgotten it. No signature is verified and no node asked for what something else holds back, so that no number of
 * withdrawals that wait costs the others their turns.
 */
export function decidePayout(facts: PayoutFacts, payout: Payout): PayoutAction {
  const { journal, chain, waiting, group, turns } = facts;
  const state = payoutState(journal, payout);
  if (state === "canceling") return { kind: "pass" };
  if (state !== "unsigned" && state !== "dead") return { kind: "restore", entry: state };
  const reason = findRefusal(facts, payout);
  const isForApprovers = reason === "approvals_missing" || reason === "paid_before";
  if (isForApprovers && facts.approvers === null) return { kind: "verify" };
  if (reason !== null) return { kind: "hold", reason };
  // A transaction that pays an address twice proves neither payment. A reference counts once for the day, also one that the database has twice.
  const isTwice = group.some(({ to, refid }) => to === payout.to || refid === payout.refid);
  if (isTwice || !turns.isDue(payout.refid)) return { kind: "pass" };
  if (waiting === null) return { kind: "observe" };
  return { kind: waiting.length < chain.mostWaiting ? "join" : "end" };
}

function findRefusal(facts: PayoutFacts, payout: Payout): HoldReason | null {
  const { policy, chain, day, group, lost, isMerchantActive } = facts;
  if (!isMerchantActive) return "merchant_disabled";
  const approvers = facts.approvers ?? [];
  const reason = policyRefusal(policy, payout, { day, group, approvers }) ?? chain.checkPayout(payout);
  if (reason !== null) return reason;
  if (day.countFailed(payout.to) >= (chain.mostFailed ?? Number.POSITIVE_INFINITY))
    return "destination_failed";
  return lost.has(payout) && approvers.length < policy.approvals.needed ? "paid_before" : null;
}
