import type { Cost } from "../types.ts";

/** The fees that a transaction offers for a unit of gas (EIP-1559), in wei. */
export interface EvmFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The most that a transaction can cost, in wei, and what the policy's price allows so much gas. */
export const costOf = (
  {
    gas = 0n,
    maxFeePerGas = 0n,
  }: { readonly gas?: bigint | undefined; readonly maxFeePerGas?: bigint | undefined },
  most: { readonly gas: bigint; readonly price: bigint },
): Cost => ({ fee: gas * maxFeePerGas, most: most.gas * most.price });

/** The least that nodes want for a unit of gas of what replaces another: an eighth more. */
export const nextFee = (former: bigint): bigint => (former * 9n) / 8n + 1n;

/** The price of a unit of gas that a node reports, in wei. */
interface GasPrice {
  readonly baseFeePerGas: bigint;
  readonly priorityFeePerGas: bigint;
}

/** EIP-1559 fees that survive a doubling of the base fee, at most the cap. Null if the network asks for more than the cap now. */
export function chooseFees({ baseFeePerGas, priorityFeePerGas }: GasPrice, cap: bigint): EvmFees | null {
  if (baseFeePerGas + priorityFeePerGas > cap) return null;
  const wanted = baseFeePerGas * 2n + priorityFeePerGas;
  return { maxFeePerGas: wanted < cap ? wanted : cap, maxPriorityFeePerGas: priorityFeePerGas };
}

/**
 * The fees of a transaction that replaces another: nodes want an eighth more of both. At the cap only the tip grows, which a node takes that
 * has refused the other. Null if the former fees still reach what the network asks for, or the cap does not allow more.
 */
export function raiseFees(
  { maxFeePerGas: maximum = 0n, maxPriorityFeePerGas: tip = 0n }: Partial<EvmFees>,
  price: GasPrice,
  cap: bigint,
): EvmFees | null {
  const rest = maximum - price.baseFeePerGas;
  if ((tip < rest ? tip : rest) >= price.priorityFeePerGas) return null;
  const fees = chooseFees(price, cap);
  if (fees === null || maximum > cap) return null;
  const higher = (one: bigint, other: bigint) => (one > other ? one : other);
  const wanted = higher(fees.maxFeePerGas, nextFee(maximum));
  const maxFeePerGas = wanted < cap ? wanted : cap;
  const maxPriorityFeePerGas = higher(fees.maxPriorityFeePerGas, nextFee(tip));
  return maxPriorityFeePerGas > maxFeePerGas ? null : { maxFeePerGas, maxPriorityFeePerGas };
}
