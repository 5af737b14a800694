import type { NetworkData } from "#lib/chains/network-data.ts";
import type { Cost } from "../types.ts";
import { countVirtualBytes, dustLimit, feeOf, inputFee, outputFee } from "./size-rules.ts";
import type { Coin, Output, Plan } from "./types.ts";

/** Inputs of a transaction. Nodes relay up to 100,000 virtual bytes with everything that waits before it: these have 6,800. */
export const MOST_INPUTS = 100;

export interface SpendingRules {
  readonly family: NonNullable<NetworkData["utxo"]>;
  /** Satoshis for 1,000 virtual bytes. */
  readonly rate: bigint;
  /** The fee is low: spend many small coins now, while it is cheap. */
  readonly isLow: boolean;
  /** Where what is left goes. */
  readonly changeScript: Uint8Array;
  /** The fee in addition when a coin is spent whose transaction waits, so that a miner takes it, too. */
  readonly ancestorFee: bigint;
}

/**
 * Chooses coins for these outputs. Null if there are not enough.
 *
 * - Coins that cost more than they hold stay.
 * - Coins in blocks come first. Our own change that waits for a block is spent only if they do not suffice.
 * - The largest first: few inputs, so a small fee. While the fee is low the smallest first: what is small is spent while that is cheap.
 * - Change that nodes would not relay goes to the fee.
 *
 * Same coins, same choice: ties are broken by the outpoint.
 */
export function chooseCoins(
  coins: readonly Coin[],
  outputs: readonly Output[],
  rules: SpendingRules,
): Plan | null {
  const worth = listWorthSpending(coins, rules);
  const confirmed = worth.filter((coin) => coin.isConfirmed);
  for (const candidates of confirmed.length < worth.length ? [confirmed, worth] : [worth]) {
    const ancestorFee = candidates === confirmed ? 0n : rules.ancestorFee;
    const isEnough = (chosen: readonly Coin[]) => planOf(chosen, outputs, { ...rules, ancestorFee }) !== null;
    const chosen = rules.isLow ? takeSmallest(candidates, isEnough) : takeLargest(candidates, isEnough);
    if (chosen !== null) return planOf(chosen, outputs, { ...rules, ancestorFee });
  }
  return null;
}

/** The most that one transaction can pay: what its best coins hold after the fee for them and for one change output. */
export function spendable(coins: readonly Coin[], rules: SpendingRules): bigint {
  const worth = listWorthSpending(coins, rules);
  const best = worth.toSorted(byAmount).slice(-MOST_INPUTS);
  const sum = sumOf(best) - feeOf(countVirtualBytes(rules.family.script, best.length, []), rules.rate);
  const ancestors = worth.every((coin) => coin.isConfirmed) ? 0n : rules.ancestorFee;
  return sum - ancestors > 0n ? sum - ancestors : 0n;
}

/** Returns the cost of paying one output, with its fee. */
export const costOf = ({ satoshis, script }: Output, { rate }: Pick<SpendingRules, "rate">): bigint =>
  satoshis + outputFee(script, rate);

/**
 * Plans the payment of these outputs by these coins: with change, or with what is left as a part of the fee. Null if they do not suffice.
 */
export function planOf(
  inputs: readonly Coin[],
  outputs: readonly Output[],
  { family, rate, changeScript, ancestorFee }: Omit<SpendingRules, "isLow">,
): Plan | null {
  const scripts = outputs.map(({ script }) => script);
  const left = sumOf(inputs) - outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n);
  const feeFor = (given: readonly Uint8Array[]) =>
    feeOf(countVirtualBytes(family.script, inputs.length, given), rate) + ancestorFee;
  const withChange = feeFor([...scripts, changeScript]);
  const change = { script: changeScript, satoshis: left - withChange };
  if (change.satoshis >= dustLimit(family, changeScript))
    return { inputs, outputs: [...outputs, change], fee: withChange };
  return outputs.length > 0 && left >= feeFor(scripts) ? { inputs, outputs, fee: left } : null;
}

/** The smallest coins, so many that one transaction can make one of them. Returns none if it would be only one. */
export function chooseSmallCoins(coins: readonly Coin[], rules: SpendingRules): readonly Coin[] {
  const small = listWorthSpending(coins, rules)
    .filter((coin) => coin.isConfirmed)
    .toSorted(byAmount)
    .slice(0, MOST_INPUTS);
  return small.length > 1 ? small : [];
}

/**
 * Returns the fee of a plan, and the most that the cap allows for its virtual bytes. Change that would be dust is a part of the fee, too.
 */
export function costOfPlan(
  { inputs, outputs }: Pick<Plan, "inputs" | "outputs">,
  {
    family,
    cap,
    changeScript,
    alsoPaid,
  }: Pick<SpendingRules, "family" | "changeScript"> & {
    /** Satoshis for 1,000 virtual bytes. */
    readonly cap: bigint;
    /** Virtual bytes of others that the fee pays for. */
    readonly alsoPaid: bigint;
  },
): Cost {
  const scripts = outputs.map(({ script }) => script);
  const bytes = countVirtualBytes(family.script, inputs.length, [...scripts, changeScript]) + alsoPaid;
  return {
    fee: sumOf(inputs) - outputs.reduce((sum, { satoshis }) => sum + satoshis, 0n),
    most: feeOf(bytes, cap) + dustLimit(family, changeScript),
  };
}

const sumOf = (coins: readonly Coin[]) => coins.reduce((sum, { satoshis }) => sum + satoshis, 0n);

const byAmount = (one: Coin, other: Coin): number => {
  if (one.satoshis !== other.satoshis) return one.satoshis < other.satoshis ? -1 : 1;
  return one.outpoint < other.outpoint ? -1 : 1;
};

const listWorthSpending = (coins: readonly Coin[], { family, rate }: SpendingRules) =>
  coins.filter(({ satoshis }) => satoshis > inputFee(family.script, rate));

function takeLargest(coins: readonly Coin[], isEnough: (chosen: readonly Coin[]) => boolean) {
  const sorted = coins.toSorted(byAmount).reverse();
  return leastOf(Math.min(sorted.length, MOST_INPUTS), (count) => sorted.slice(0, count), isEnough);
}

/** A run of coins by amount, of at most MOST_INPUTS: the one with the smallest coins that suffices. */
function takeSmallest(coins: readonly Coin[], isEnough: (chosen: readonly Coin[]) => boolean) {
  const sorted = coins.toSorted(byAmount);
  return leastOf(sorted.length, (end) => sorted.slice(Math.max(0, end - MOST_INPUTS), end), isEnough);
}

/** The first of the choices 1 to `most` that suffices, where each pays more than the one before it. Null if no choice suffices. */
function leastOf(
  most: number,
  choose: (number: number) => readonly Coin[],
  isEnough: (chosen: readonly Coin[]) => boolean,
): readonly Coin[] | null {
  let [from, to] = [1, most];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isEnough(choose(middle))) to = middle;
    else from = middle + 1;
  }
  return most > 0 && isEnough(choose(to)) ? choose(to) : null;
}
