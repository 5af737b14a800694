import type { TronAccount, TronPrices } from "#lib/chains/tron/types.ts";

/** Hundredths of a percent. */
const WHOLE = 10_000n;

/** The needs of a transaction. */
export interface Needs {
  /** Bytes. */
  readonly bandwidth: bigint;
  /** As a node estimated it. 0: it calls no contract. */
  readonly energy: bigint;
  /** The same if its receiver is empty when the block comes. Absent where the receiver is our own. */
  readonly energyIfEmpty?: bigint;
  /** A transfer of TRX to an account that does not exist. */
  readonly createsAccount: boolean;
}

/** The resources that own transactions in no block can still use. Sun, bytes and units. */
export interface Reserved {
  readonly coin: bigint;
  readonly bandwidth: bigint;
  readonly energy: bigint;
}

/**
 * The fee_limit of a transaction, in sun. It is a cap, and what is not used is not paid: so it allows what the call can need when its block
 * comes, at the price that the contract's energy can have then, as far as all of it stays within the cap with whatever the rest burns at
 * most. Null if the network asks for more than the cap now. Stakes count for nothing here: another transaction may use them first.
 */
export function chooseFeeLimit(needs: Needs, prices: TronPrices, cap: bigint): bigint | null {
  const rest = mostBandwidthFee(needs, prices) + (needs.createsAccount ? prices.newAccount : 0n);
  const most = lower(cap - rest, prices.maxFeeLimit);
  if (most < needs.energy * prices.energy) return null;
  const { energy, energyIfEmpty = 0n } = needs;
  const needed = higher(energy, energyIfEmpty) * prices.energy;
  return lower((needed * (WHOLE + prices.energyIncrease)) / WHOLE, most);
}

/** The most that a transaction can burn, in sun, whatever stakes pay for. */
export const mostCost = (needs: Needs, prices: TronPrices, feeLimit: bigint): bigint =>
  feeLimit + mostBandwidthFee(needs, prices) + (needs.createsAccount ? prices.newAccount : 0n);

/** The sun that a transaction can burn after those that wait, in addition to what it sends. Stakes pay first. */
export function mostBurned(
  { needs, feeLimit }: { readonly needs: Needs; readonly feeLimit: bigint },
  prices: TronPrices,
  account: Pick<TronAccount, "energy" | "freeBandwidth" | "ownBandwidth">,
  reserved: Reserved,
): bigint {
  const energy = reserved.energy + feeLimit / prices.energy;
  const lacking = energy > account.energy ? energy - account.energy : 0n;
  const bandwidth =
    reserved.bandwidth > 0n
      ? reserved.bandwidth * prices.bandwidth + mostBandwidthFee(needs, prices)
      : bandwidthFee(needs, prices, account);
  return lacking * prices.energy + bandwidth + (needs.createsAccount ? prices.newAccount : 0n);
}

/** Returns the price of bandwidth now, in sun. It is paid as a whole from one source. A new account's is never from the free bandwidth. */
export function bandwidthFee(
  needs: Pick<Needs, "bandwidth" | "createsAccount">,
  prices: TronPrices,
  { freeBandwidth, ownBandwidth }: Pick<TronAccount, "freeBandwidth" | "ownBandwidth">,
): bigint {
  if (ownBandwidth >= needs.bandwidth) return 0n;
  if (!needs.createsAccount && freeBandwidth >= needs.bandwidth) return 0n;
  return mostBandwidthFee(needs, prices);
}

const mostBandwidthFee = (
  { bandwidth, createsAccount }: Pick<Needs, "bandwidth" | "createsAccount">,
  prices: TronPrices,
): bigint => (createsAccount ? prices.newAccountBandwidth : bandwidth * prices.bandwidth);

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
/** The lower of two amounts. */
export const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);
