import type { TronAccount, TronPrices } from "#lib/chains/tron/types.ts";
import { bandwidthFee } from "./fee-rules.ts";

const TRX = 1_000_000n;
const WHOLE_BPS = 10_000n;
/** Bytes of the hot account's transactions for an address: a new account, a delegation, its end, or a transfer of TRX. */
const STEP_BYTES = 280n;
/** A stake gives a little more than is needed, in percent: its worth falls while others stake. */
const STAKE_MARGIN = 102n;

/** A deposit address with USDT as a node sees it, and what its sweep needs. */
export interface SweepView {
  readonly account: TronAccount;
  /** Bytes and energy of the transfer. */
  readonly bandwidth: bigint;
  readonly energy: bigint;
  readonly prices: TronPrices;
  /** Sun of the hot account's stake whose energy can be given away, and what a staked TRX gives. */
  readonly delegable: bigint;
  readonly energyPerTrx: TronAccount["energyPerTrx"];
}

/** A step that brings the sweep of an address further. Amounts in sun. */
export type SweepStep =
  | { readonly kind: "transfer" }
  /** Makes an account of the address, without which it can neither send nor be given energy. */
  | { readonly kind: "create" }
  | { readonly kind: "delegate"; readonly amount: bigint }
  /** Sends exactly the TRX that the transfer will burn, and lacks. */
  | { readonly kind: "fund"; readonly amount: bigint };

/** The next step of the sweep of a token. It follows from what the chain says, so that it can continue after any interruption. */
export function nextStep(view: SweepView): SweepStep {
  const { account, prices, energy } = view;
  const lacking = energy > account.energy ? energy - account.energy : 0n;
  const burned = lacking * prices.energy + transferBandwidthFee(view);
  if (account.exists && account.balance >= burned) return { kind: "transfer" };
  const stake = stakeFor(lacking, view.energyPerTrx);
  if (lacking > 0n && stake !== null && stake <= view.delegable && fundsBandwidth(view))
    return account.exists ? { kind: "delegate", amount: stake } : { kind: "create" };
  const missing = burned - account.balance;
  return { kind: "fund", amount: missing > 0n ? missing : 1n };
}

/** Sun of stake that gives this much energy. Null if the node does not say what stakes give. */
export function stakeFor(energy: bigint, { total, weight }: TronAccount["energyPerTrx"]): bigint | null {
  if (total === 0n || weight === 0n) return null;
  const trx = (energy * weight * STAKE_MARGIN) / (100n * total) + 1n;
  return trx * TRX;
}

/** Bandwidth is not delegated: the free one of an account is enough for one transfer a day. */
const fundsBandwidth = (view: SweepView): boolean => transferBandwidthFee(view) <= view.account.balance;

/** A new account has a day's free bandwidth. */
function transferBandwidthFee({ account, bandwidth, prices }: SweepView): bigint {
  const free = account.exists ? account : { ...account, freeBandwidth: bandwidth };
  return bandwidthFee({ bandwidth, createsAccount: false }, prices, free);
}

/** The most that the rest of the sweep can cost, in sun. */
export function costOfSweep(view: SweepView): bigint {
  const { account, prices, energy } = view;
  const step = nextStep(view);
  const creation = account.exists ? 0n : prices.newAccount + prices.newAccountBandwidth;
  const isStaked = step.kind === "create" || step.kind === "delegate";
  const lacking = energy > account.energy ? energy - account.energy : 0n;
  const steps = step.kind === "transfer" ? 0n : isStaked ? 2n : 1n;
  return (
    creation +
    (isStaked ? 0n : lacking * prices.energy) +
    transferBandwidthFee(view) +
    steps * STEP_BYTES * prices.bandwidth
  );
}

export type TronSweepRefusal =
  | "above_max_sweep_fee_percent"
  | "above_max_sweep_fee"
  | "above_sweep_fee_per_day";

/** Why a sweep is not worth its cost. Null if it is. `worth`: of the cost, in the token's ledger units, as `amount`. `spent`: sun in a day. */
export function sweepRefusal(
  {
    cost,
    worth,
    amount,
    spent,
  }: {
    readonly cost: bigint;
    readonly worth: bigint;
    readonly amount: bigint;
    readonly spent: bigint;
  },
  policy: { readonly maxFeeBps: bigint; readonly maxFee: bigint | null; readonly feePerDay: bigint },
): TronSweepRefusal | null {
  if (worth * WHOLE_BPS > policy.maxFeeBps * amount) return "above_max_sweep_fee_percent";
  if (policy.maxFee !== null && cost > policy.maxFee) return "above_max_sweep_fee";
  return spent + cost > policy.feePerDay ? "above_sweep_fee_per_day" : null;
}
