import type { SweepPolicy } from "../types.ts";
import { SIGNATURE_FEE } from "./fee-rules.ts";

const WHOLE_BPS = 10_000n;

export type SweepRefusal = "below_sweep_above" | "above_max_sweep_fee_percent" | "above_sweep_fee_per_day";

interface Limits {
  readonly policy: SweepPolicy;
  /** The least that a transaction moves, in ledger units of the token. */
  readonly above: bigint;
  /** The worth of lamports in ledger units of the token. */
  readonly worthOf: (lamports: bigint) => bigint;
}

/** The addresses that are worth a signature of their own and their part of the rest. `balance`: in ledger units of the token. */
export const listWorthy = <D extends { readonly balance: bigint }>(
  deposits: readonly D[],
  { policy, worthOf }: Omit<Limits, "above">,
): readonly D[] => deposits.filter(({ balance }) => isWorth(worthOf(2n * SIGNATURE_FEE), balance, policy));

/** Why a transaction for these addresses must wait. Null if it may be sent. `cost`: lamports. The rent that comes back does not count. */
export function findSweepRefusal(
  deposits: readonly { readonly balance: bigint }[],
  cost: bigint,
  { policy, above, worthOf }: Limits,
): SweepRefusal | null {
  const moved = deposits.reduce((sum, { balance }) => sum + balance, 0n);
  if (moved === 0n || moved < above) return "below_sweep_above";
  return isWorth(worthOf(cost), moved, policy) ? null : "above_max_sweep_fee_percent";
}

const isWorth = (worth: bigint, amount: bigint, { maxFeeBps }: SweepPolicy): boolean =>
  worth * WHOLE_BPS <= maxFeeBps * amount;

/** The most lamports that a sweep may cost. `spent`: on sweeps of the last 24 hours. Null if nothing is left of the day. */
export function sweepFeeCap(
  { maxFee, feePerDay }: SweepPolicy,
  { spent, network }: { readonly spent: bigint; readonly network: bigint },
): bigint | null {
  const caps = [feePerDay - spent, network, ...(maxFee === null ? [] : [maxFee])];
  return feePerDay <= spent ? null : caps.reduce((least, cap) => (cap < least ? cap : least));
}
