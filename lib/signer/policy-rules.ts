import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { HoldReason, JournalEntry, Payout, Policy } from "./types.ts";

const DAY_MS = 86_400_000;

/** The name of a network in the policy file. */
export const policyName = ({ env, network }: Pick<Payout, "env" | "network">): string => `${env}.${network}`;

/**
 * What an approver signs: all that money depends on, so that an approval is worth nothing for another withdrawal, or for
 * this one with another destination or amount.
 */
export function payoutText({ env, refid, network, token, amount, to }: Payout): string {
  const whole = formatAmount(amount, TOKENS[token].ledgerDecimals);
  return ["paylink withdrawal 1", env, refid, network, token, whole, to].join("\n");
}

/**
 * Why the policy does not let a payout leave; null: it does. `signed` is what the journal has. `approvers` are those of the policy
 * who signed this payout. `now` is the earlier of the clock and the newest block: a clock that is set forward frees nothing.
 */
export function policyRefusal(
  policy: Policy,
  payout: Payout,
  {
    signed,
    approvers,
    now,
  }: {
    readonly signed: readonly JournalEntry[];
    readonly approvers: readonly string[];
    readonly now: Date;
  },
): HoldReason | null {
  const { token, amount, to, merchantId } = payout;
  const limits = policy.networks.get(policyName(payout))?.tokens.get(token);
  if (limits === undefined) return "not_in_policy";
  if (amount > limits.perTransfer) return "above_per_transfer";
  if (limits.allowOnly !== null && !limits.allowOnly.has(to)) return "destination_not_allowed";
  if (amount + sumRecent(signed, payout, now) > limits.perDay) return "above_per_day";
  const ofMerchant = signed.filter((one) => one.merchantId === merchantId);
  if (
    limits.perMerchantPerDay !== null &&
    amount + sumRecent(ofMerchant, payout, now) > limits.perMerchantPerDay
  )
    return "above_per_merchant_per_day";
  if (amount <= limits.autoUpTo) return null;
  return new Set(approvers).size >= policy.approvals.needed ? null : "approvals_missing";
}

/** What was signed of a token on a network within the 24 hours before `now`, in ledger units. Cancelled payouts count. */
export function sumRecent(
  signed: readonly JournalEntry[],
  { env, network, token }: Pick<Payout, "env" | "network" | "token">,
  now: Date,
): bigint {
  const since = now.getTime() - DAY_MS;
  const recent = signed
    .filter(
      (one) => one.kind === "payout" && one.env === env && one.network === network && one.token === token,
    )
    .filter(({ at }) => at.getTime() > since);
  // A replacement pays the same withdrawal.
  const byWithdrawal = new Map(recent.map(({ refid, amount }) => [refid, amount]));
  return [...byWithdrawal.values()].reduce((sum, amount) => sum + amount, 0n);
}
