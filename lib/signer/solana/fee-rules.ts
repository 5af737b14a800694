import type { SolanaSendState } from "#lib/chains/solana/types.ts";

/** Lamports for each signature, set by the protocol. */
export const SIGNATURE_FEE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
/** Micro-lamports for a compute unit. Nodes report only the lowest price in each block, which is often nothing. */
const LEAST_UNIT_PRICE = 10_000n;
/** Prices that two transactions which move the same may differ by. */
export const MOST_STEPS = 64n;

/** The needs of a transaction, apart from its price. */
export interface Costs {
  readonly signatures: number;
  /** Compute units that it may use. */
  readonly units: number;
  /** Lamports for accounts that it creates. */
  readonly rent: bigint;
}

/** Compute units to allow: a little more than a simulation used. */
export const allowUnits = (used: number): number => Math.ceil(used * 1.1) + 500;

/** All that a transaction costs, in lamports. */
export const costOf = ({ signatures, units, rent }: Costs, unitPrice: bigint): bigint =>
  SIGNATURE_FEE * BigInt(signatures) +
  (unitPrice * BigInt(units) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS +
  rent;

/**
 * The price of a compute unit in micro-lamports: what recent blocks took, times `pressure` after transactions that no block took, and at
 * most what `maxFee` leaves. Null if recent blocks took more than that.
 */
export function chooseUnitPrice(
  { unitPrice }: Pick<SolanaSendState, "unitPrice">,
  costs: Costs,
  { pressure, maxFee }: { readonly pressure: bigint; readonly maxFee: bigint },
): bigint | null {
  const left = maxFee - costOf(costs, 0n);
  const most = (left * MICRO_LAMPORTS) / BigInt(Math.max(1, costs.units)) - MOST_STEPS;
  if (most < unitPrice) return null;
  const wanted = (unitPrice > LEAST_UNIT_PRICE ? unitPrice : LEAST_UNIT_PRICE) * pressure;
  return wanted < most ? wanted : most;
}
