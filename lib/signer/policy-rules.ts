import { approvalText } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import type { HoldReason, JournalEntry, Payout, Policy, TransactionOutcome } from "./types.ts";

const DAY_MS = 86_400_000;

/** The name of a network in the policy file. */
export const policyName = ({ env, network }: Pick<Payout, "env" | "network">): string => `${env}.${network}`;

/** The text that an approver signs with a key file: the same text that a passkey signs in the console. */
export const payoutText = ({ to: toAddress, ...payout }: Payout): string =>
  approvalText({ ...payout, toAddress });

/** The payouts that were signed within the 24 hours that limits count, in ledger units. */
export interface SignedDay {
  /** Adds up a token on a network: of one merchant if it is named, without one withdrawal if `except` names it. */
  sum(
    of: Pick<Payout, "env" | "network" | "token">,
    options?: { readonly merchantId?: number; readonly except?: string },
  ): bigint;
  add(payouts: readonly Payout[]): void;
  /** Payments to an address that moved nothing in their block. */
  countFailed(to: string): number;
}

/**
 * Adds up what was signed on one network within the 24 hours before `now`. Also what was canceled, or is dead: otherwise who can end
 * withdrawals could have the same limit signed for again and again. Several transactions for one withdrawal count once:
 * only one can pay. A sum takes the same time after any number of payouts, because every withdrawal that waits asks for two at each step.
 */
export function openSignedDay(
  signed: readonly JournalEntry[],
  now: Date,
  outcomeOf: (hash: string) => TransactionOutcome | null = () => null,
): SignedDay {
  const failed = new Map<string, number>();
  const counted = new Map<string, Payout>();
  const sums = new Map<string, bigint>();
  const nameOf = ({ env, network, token }: Pick<Payout, "env" | "network" | "token">) =>
    `${env} ${network} ${token}`;
  const change = (payout: Payout, by: bigint) => {
    const name = nameOf(payout);
    for (const key of [name, `${name} ${payout.merchantId}`]) sums.set(key, (sums.get(key) ?? 0n) + by);
  };
  const day: SignedDay = {
    sum(of, { merchantId, except } = {}) {
      const name = nameOf(of);
      const sum = sums.get(merchantId === undefined ? name : `${name} ${merchantId}`) ?? 0n;
      const left = counted.get(`${name} ${except}`);
      const isIn = left !== undefined && (merchantId === undefined || left.merchantId === merchantId);
      return isIn ? sum - left.amount : sum;
    },
    add(payouts) {
      for (const payout of payouts) {
        const key = `${nameOf(payout)} ${payout.refid}`;
        const earlier = counted.get(key);
        if (earlier !== undefined) change(earlier, -earlier.amount);
        counted.set(key, payout);
        change(payout, payout.amount);
      }
    },
    countFailed: (to) => failed.get(to) ?? 0,
  };
  const since = now.getTime() - DAY_MS;
  for (const { kind, at, payouts, hash } of signed) {
    if (kind !== "payout" || at.getTime() <= since) continue;
    day.add(payouts);
    if (outcomeOf(hash) === "failed") for (const { to } of payouts) failed.set(to, day.countFailed(to) + 1);
  }
  return day;
}

/**
 * Why the policy does not let a payout leave together with the payouts of `group`. Null if it does. `day` ends at the earlier of the clock
 * and the newest block: a clock that is set forward frees nothing. `approvers` are those of the policy who signed this payout.
 */
export function policyRefusal(
  policy: Policy,
  payout: Payout,
  {
    day,
    group,
    approvers,
  }: {
    readonly day: SignedDay;
    readonly group: readonly Payout[];
    readonly approvers: readonly string[];
  },
): HoldReason | null {
  const { token, amount, to, merchantId, refid } = payout;
  const limits = policy.networks.get(policyName(payout))?.tokens.get(token);
  if (limits === undefined) return "not_in_policy";
  if (amount > limits.perTransfer) return "above_per_transfer";
  if (limits.allowOnly !== null && !limits.allowOnly.has(to)) return "destination_not_allowed";
  const together = group.filter((one) => one.token === token);
  // A payout that is signed again because the first can no longer be paid counts once.
  const ofAll = sumAmounts(together) + day.sum(payout, { except: refid });
  if (amount + ofAll > limits.perDay) return "above_per_day";
  const ofMerchant =
    sumAmounts(together.filter((one) => one.merchantId === merchantId)) +
    day.sum(payout, { merchantId, except: refid });
  if (limits.perMerchantPerDay !== null && amount + ofMerchant > limits.perMerchantPerDay)
    return "above_per_merchant_per_day";
  if (amount <= limits.autoUpTo) return null;
  return new Set(approvers).size >= policy.approvals.needed ? null : "approvals_missing";
}

const sumAmounts = (payouts: readonly Payout[]): bigint =>
  payouts.reduce((sum, { amount }) => sum + amount, 0n);
