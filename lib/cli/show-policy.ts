import type { NetworkCode } from "#lib/chains/networks.ts";
import { passkeyFingerprint } from "#lib/domain/members/passkey-fingerprint.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { getCoinDecimals, getFeeField } from "#lib/signer/policy.ts";
import type { ApproverKey, NetworkPolicy, Policy, TokenPolicy } from "#lib/signer/types.ts";

/** The policy as its file has it, for a person to compare. */
export function showPolicy({ networks, approvals }: Policy) {
  return {
    networks: [...networks].map(([name, policy]) => ({
      name,
      ...formatFees(name.split(".")[1] as NetworkCode, policy),
      cold: policy.cold,
      tokens: [...policy.tokens].map(([token, limits]) => formatLimits(token, limits)),
    })),
    approvals: {
      needed: approvals.needed,
      from: [...approvals.from].map(([name, keys]) => ({ name, keys: keys.map(showKey) })),
    },
  };
}

function formatFees(
  network: NetworkCode,
  { maxFee, maxGas, feePerDay, sweep, consolidateBelow }: NetworkPolicy,
) {
  const field = getFeeField(network);
  const coins = (units: bigint) => formatAmount(units, getCoinDecimals(network));
  return {
    [field.name]: formatAmount(maxFee, field.decimals),
    ...(maxGas !== null && { max_gas: String(maxGas) }),
    fee_per_day: feePerDay === null ? null : coins(feePerDay),
    ...(consolidateBelow !== null && { consolidate_below: formatAmount(consolidateBelow, field.decimals) }),
    ...(sweep !== null && {
      max_sweep_fee_percent: formatAmount(sweep.maxFeeBps, 2),
      max_sweep_fee: sweep.maxFee === null ? null : coins(sweep.maxFee),
      sweep_fee_per_day: coins(sweep.feePerDay),
    }),
  };
}

function formatLimits(token: TokenCode, limits: TokenPolicy) {
  const format = (units: bigint | null) =>
    units === null ? null : formatAmount(units, TOKENS[token].ledgerDecimals);
  return {
    token,
    per_transfer: format(limits.perTransfer),
    per_day: format(limits.perDay),
    per_merchant_per_day: format(limits.perMerchantPerDay),
    auto_up_to: format(limits.autoUpTo),
    allow_only: limits.allowOnly && [...limits.allowOnly],
    sweep_above: format(limits.sweepAbove),
    hot_target: limits.hot && format(limits.hot.target),
    hot_maximum: limits.hot && format(limits.hot.maximum),
  };
}

const showKey = (key: ApproverKey) =>
  key.kind === "ed25519"
    ? { public_key: key.publicKey }
    : {
        passkey: passkeyFingerprint({ credentialId: key.id, publicKey: key.publicKey }),
        origin: key.origin,
      };
