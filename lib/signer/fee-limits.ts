import type { Cost, EntryKind, JournalEntry, NetworkPolicy } from "./types.ts";

const DAY_MS = 86_400_000;

/** A transaction that is to be signed, by what decides whether its fee may be spent. */
export interface Spending {
  readonly kind: EntryKind;
  readonly spends: readonly string[];
  readonly cost: Cost;
}

export type FeeRefusal =
  | "network_fee_too_high"
  | "above_max_sweep_fee"
  | "above_sweep_fee_per_day"
  | "above_fee_per_day";

type Paid = Pick<JournalEntry, "kind" | "at" | "spends" | "fee">;

/**
 * Why the fee of a transaction may not be spent. Null if it may. Every signing asks here, last: payments, sweeps, moves, raised fees and
 * cancellations. `own`: what was signed on the network and is not dead. `at`: when it is signed.
 *
 * A cancellation is only held by its own cap. It uses what a payment spends that had passed the limit of the day, and without it that payment
 * could be paid twice.
 */
export function feeRefusal(
  policy: NetworkPolicy | null,
  { kind, spends, cost }: Spending,
  { own, at }: { readonly own: readonly Paid[]; readonly at: Date },
): FeeRefusal | null {
  if (policy === null || cost.fee < 0n || cost.fee > cost.most) return "network_fee_too_high";
  const isSweep = kind === "sweep";
  if (isSweep && policy.sweep !== null) {
    if (policy.sweep.maxFee !== null && cost.fee > policy.sweep.maxFee) return "above_max_sweep_fee";
    return sumWith(own, { kind, spends, cost }, at) > policy.sweep.feePerDay
      ? "above_sweep_fee_per_day"
      : null;
  }
  if (policy.feePerDay === null || isCanceling({ kind, spends }, own)) return null;
  return sumWith(own, { kind, spends, cost }, at) > policy.feePerDay ? "above_fee_per_day" : null;
}

/** Adds up what the sweeps, or everything else, of the 24 hours before `at` can cost. */
export function feesOfDay(own: readonly Paid[], at: Date, what: "sweeps" | "rest"): bigint {
  const since = at.getTime() - DAY_MS;
  const groups = new Map<string, { fee: bigint }>();
  let sum = 0n;
  for (const { kind, at: signedAt, spends, fee = 0n } of own) {
    if ((kind === "sweep") !== (what === "sweeps") || signedAt.getTime() <= since) continue;
    // Transactions that exclude each other count once: only one is in a block.
    const former = spends.map((spent) => groups.get(spent)).find((group) => group !== undefined);
    const group = former ?? { fee: 0n };
    if (fee > group.fee) {
      sum += fee - group.fee;
      group.fee = fee;
    }
    for (const spent of spends) groups.set(spent, group);
  }
  return sum;
}

const sumWith = (own: readonly Paid[], { kind, spends, cost: { fee } }: Spending, at: Date): bigint =>
  feesOfDay([...own, { kind, spends, fee, at }], at, kind === "sweep" ? "sweeps" : "rest");

const isCanceling = ({ kind, spends }: Omit<Spending, "cost">, own: readonly Paid[]): boolean =>
  kind === "cancel" &&
  own.some((entry) => entry.kind === "payout" && entry.spends.some((spent) => spends.includes(spent)));
