import { poolLevel } from "./pool-rules.ts";

/**
 * Unpaid addresses that each paid address of a merchant adds to its limit. A shop of which one customer in a thousand
 * pays never reaches the limit.
 */
export const UNPAID_PER_PAID = 1_000;
/** Operators are warned when a merchant has this part of its limit. */
export const NEAR_LIMIT = 0.8;

/** The addresses of a merchant on a network, and what bounds them. */
export interface AddressUse {
  /** The operator's setting for the network: unpaid addresses of a merchant that was never paid. */
  readonly allowed: number;
  /** All of the merchant's addresses on the network. */
  readonly count: number;
  /** The addresses that were ever credited. */
  readonly paid: number;
  /** The same on all networks of the environment: a shop may be paid on another network than most of its links offer. */
  readonly paidAnywhere: number;
  /** Other merchants exist. */
  readonly hasOthers: boolean;
}

/** The addresses of a pool, before the allocation. */
export interface PoolUse {
  readonly size: number;
  readonly left: number;
}

/**
 * Whether a merchant may have one more address. In a low pool, an address is refused to a merchant that already has as many
 * unpaid ones as are left for all. `pool` is null where addresses are derived.
 */
export function mayAllocate(use: AddressUse, pool: PoolUse | null): boolean {
  const unpaid = use.count - use.paid;
  if (unpaid >= use.allowed + UNPAID_PER_PAID * use.paidAnywhere) return false;
  if (pool === null || !use.hasOthers) return true;
  return poolLevel(pool) === "well" || unpaid < pool.left;
}
