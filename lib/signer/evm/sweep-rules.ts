import type { SweepPolicy } from "../types.ts";

/** The gas of a transaction, and of the call of one account in it. */
const TRANSACTION_GAS = 21_000n;
const CALL_GAS = 1_100n;
/** The gas of each authorization (EIP-7702). */
const AUTHORIZATION_GAS = 25_000n;
/** The chain may need more gas than the node said, in percent. */
const MARGIN = 120n;
const WHOLE_BPS = 10_000n;

/** An address that holds money, as a node sees it. */
export interface SweepCandidate {
  /** In ledger units. */
  readonly balance: bigint;
  /** The gas of its sweep alone. */
  readonly gas: bigint;
  /** It has the sweeper's code already. */
  readonly isDelegated: boolean;
  /** Its delegation is removed after the sweep. */
  readonly isCleared: boolean;
}

/** The price of gas. */
export interface SweepPrice {
  /** The price that the network asks for now, and the most that the transaction offers, in wei for a unit of gas. */
  readonly now: bigint;
  readonly most: bigint;
  /** The worth of an amount of wei in ledger units of the token, rounded up. */
  readonly worthOf: (wei: bigint) => bigint;
}

export type SweepRefusal =
  | "below_sweep_above"
  | "above_max_sweep_fee_percent"
  | "above_max_sweep_fee"
  | "above_sweep_fee_per_day";

export type ChosenSweep<C> =
  | { readonly ok: true; readonly chosen: readonly C[]; readonly gasLimit: bigint }
  | { readonly ok: false; readonly reason: SweepRefusal };

/**
 * The addresses whose sweep is worth its fee, as many as the caps allow. `above`: the least that a transaction moves, in ledger units.
 * `spent`: the most that the sweeps of the last 24 hours can have cost, in wei.
 */
export function chooseSweep<C extends SweepCandidate>(
  candidates: readonly C[],
  {
    policy,
    above,
    price,
    spent,
  }: {
    readonly policy: SweepPolicy;
    readonly above: bigint;
    readonly price: SweepPrice;
    readonly spent: bigint;
  },
): ChosenSweep<C> {
  const isWorth = (gas: bigint, amount: bigint) =>
    price.worthOf(gas * price.now) * WHOLE_BPS <= policy.maxFeeBps * amount;
  if (sum(candidates) < above) return { ok: false, reason: "below_sweep_above" };
  // The first call finds the token's storage cold and costs more. Which one is first says nothing about its address.
  const [largest = 0n, usual = largest] = candidates
    .map(({ gas }) => gas)
    .sort((one, other) => (one < other ? 1 : -1));
  const least = (one: C) => gasOf(one.gas > usual ? { ...one, gas: usual } : one);
  const worth = candidates.filter((one) => isWorth(least(one), one.balance));
  const gas = worth.reduce((total, one) => total + gasOf(one), TRANSACTION_GAS);
  if (sum(worth) < above || !isWorth(gas, sum(worth)))
    return { ok: false, reason: "above_max_sweep_fee_percent" };
  // The largest are first. Addresses that do not fit have their turn later.
  const isAllowed = (chosen: readonly C[]) =>
    policy.maxFee === null || gasLimit(chosen) * price.most <= policy.maxFee;
  let chosen = worth;
  while (chosen.length > 0 && !isAllowed(chosen)) chosen = chosen.slice(0, -1);
  if (sum(chosen) < above || chosen.length === 0) return { ok: false, reason: "above_max_sweep_fee" };
  const limit = gasLimit(chosen);
  if (spent + limit * price.most > policy.feePerDay) return { ok: false, reason: "above_sweep_fee_per_day" };
  return { ok: true, chosen, gasLimit: limit };
}

const sum = (candidates: readonly SweepCandidate[]): bigint =>
  candidates.reduce((total, { balance }) => total + balance, 0n);

/** The gas that an address costs, until its delegation is removed again. */
const gasOf = ({ gas, isDelegated, isCleared }: SweepCandidate): bigint =>
  gas + CALL_GAS + (isDelegated ? 0n : AUTHORIZATION_GAS) + (isCleared ? AUTHORIZATION_GAS : 0n);

/** The first address pays for storage that the others then find warm, and it may be any of them. */
function gasLimit(chosen: readonly SweepCandidate[]): bigint {
  const authorizations = chosen.filter(({ isDelegated }) => !isDelegated).length;
  const calls = chosen.reduce((total, { gas }) => total + gas + CALL_GAS, 0n);
  const [largest = 0n] = chosen.map(({ gas }) => gas).sort((one, other) => (one < other ? 1 : -1));
  return TRANSACTION_GAS + AUTHORIZATION_GAS * BigInt(authorizations) + ((calls + largest) * MARGIN) / 100n;
}

/** The gas limit of a transaction that only removes delegations. */
export const clearingGas = (accounts: number): bigint =>
  TRANSACTION_GAS + AUTHORIZATION_GAS * BigInt(accounts);
