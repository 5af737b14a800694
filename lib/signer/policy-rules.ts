import { approvalText } from "#lib/domain/withdrawals/approval-rules.ts";
import type { HoldReason, JournalEntry, Payout, Policy } from "./types.ts";

const DAY_MS = 86_400_000;

/** The name of a network in the policy file. */
export const policyName = ({ env, network }: Pick<Payout, "env" | "network">): string => `${env}.${network}`;

/** What an approver signs with a key file: the same text that a passkey signs in the console. */
export const payoutText = ({ to: toAddress, ...payout }: Payout): string =>
  approvalText({ ...payout, toAddress });

/** What limits count of a signed payout. */
type Signed = Pick<JournalEntry, "at" | "payouts">;

/**
 * Why the policy does not let a payout leave. Null if it does. `signed` is what listRecent returns. `approvers` are those of the policy
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
    readonly signed: readonly Signed[];
    readonly approvers: readonly string[];
    readonly now: Date;
  },
): HoldReason | null {
  const { token, amount, to, merchantId, refid } = payout;
  const limits = policy.networks.get(policyName(payout))?.tokens.get(token);
  if (limits === undefined) return "not_in_policy";
  if (amount > limits.perTransfer) return "above_per_transfer";
  if (limits.allowOnly !== null && !limits.allowOnly.has(to)) return "destination_not_allowed";
  // A payout that is signed again because the first can no longer be paid counts once.
  const others = { except: refid };
  if (amount + sumRecent(signed, payout, now, others) > limits.perDay) return "above_per_day";
  const ofMerchant = sumRecent(signed, payout, now, { ...others, merchantId });
  if (limits.perMerchantPerDay !== null && amount + ofMerchant > limits.perMerchantPerDay)
    return "above_per_merchant_per_day";
  if (amount <= limits.autoUpTo) return null;
  return new Set(approvers).size >= policy.approvals.needed ? null : "approvals_missing";
}

/** The entries that limits of a day ending at `now` count. */
export function listRecent(signed: readonly JournalEntry[], now: Date): JournalEntry[] {
  const since = now.getTime() - DAY_MS;
  return signed.filter(({ kind, at }) => kind === "payout" && at.getTime() > since);
}

/**
 * What was signed of a token on a network within the 24 hours before `now`, in ledger units: of one merchant if it is named, without one
 * withdrawal if `except` names it. Cancelled payouts count. Several transactions for one withdrawal count once: only one can pay.
 */
export function sumRecent(
  signed: readonly Signed[],
  { env, network, token }: Pick<Payout, "env" | "network" | "token">,
  now: Date,
  { merchantId, except }: { readonly merchantId?: number; readonly except?: string } = {},
): bigint {
  const since = now.getTime() - DAY_MS;
  const recent = signed
    .filter(({ at }) => at.getTime() > since)
    .flatMap(({ payouts }) => payouts)
    .filter((one) => one.env === env && one.network === network && one.token === token)
    .filter((one) => one.refid !== except && (merchantId === undefined || one.merchantId === merchantId));
  const byWithdrawal = new Map(recent.map(({ refid, amount }) => [refid, amount]));
  return [...byWithdrawal.values()].reduce((sum, amount) => sum + amount, 0n);
}
