import { feeOf } from "./size-rules.ts";

/** One of our transactions that waits for a block, by its own bytes: a node's word could make the next one pay any fee. */
export interface Waiting {
  readonly virtualBytes: bigint;
  readonly satoshis: bigint;
}

/** The fee that transactions lack to pay this rate for 1,000 virtual bytes of all of them together. */
export function missingFee(waiting: readonly Waiting[], rate: bigint): bigint {
  const bytes = waiting.reduce((sum, one) => sum + one.virtualBytes, 0n);
  const paid = waiting.reduce((sum, one) => sum + one.satoshis, 0n);
  const wanted = feeOf(bytes, rate);
  return wanted > paid ? wanted - paid : 0n;
}

/**
 * The fee of a transaction that replaces another of this size (BIP 125): at least its fee and the node's step for the new one's size, and as
 * much as the rate asks for it and those that wait before it. Null if the other pays enough, or this is more than `cap` allows.
 */
export function replacementFee(
  former: Waiting,
  ancestors: readonly Waiting[],
  { rate, step, cap }: { readonly rate: bigint; readonly step: bigint; readonly cap: bigint },
): bigint | null {
  const lacks = missingFee([...ancestors, former], rate);
  if (rate > cap || lacks === 0n) return null;
  const least = former.satoshis + feeOf(former.virtualBytes, step);
  const wanted = former.satoshis + lacks;
  const fee = wanted - least > 0n ? wanted : least;
  const most = missingFee([...ancestors, { ...former, satoshis: 0n }], cap);
  return fee <= most ? fee : least <= most ? most : null;
}
