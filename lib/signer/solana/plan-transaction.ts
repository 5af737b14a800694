import type { Instruction } from "@solana/kit";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import { LIFETIME_BLOCKS } from "#lib/chains/solana/fetch-fate.ts";
import type { SolanaSending } from "#lib/chains/solana/sending.ts";
import type { SolanaSendState } from "#lib/chains/solana/types.ts";
import { boundHeight } from "../node-bounds.ts";
import type { JournalEntry } from "../types.ts";
import { encodeUnsigned, MOST_UNITS, type SolanaPlan, signPlan } from "./build-transaction.ts";
import { allowUnits, chooseUnitPrice, costOf, MOST_STEPS } from "./fee-rules.ts";
import type { SolanaKey } from "./hot-key.ts";

/** Heights that answers of nodes are apart at most: some minutes. */
const MOST_APART = 1_000;
/** Blocks after the newest final one: two thirds of the stake have voted for some, and nodes are apart by a few. */
const NOT_FINAL_BLOCKS = 64;

/** The hot account, and what was last observed. */
export interface Hot {
  readonly adapter: TransactionNetwork;
  readonly sending: SolanaSending;
  readonly key: SolanaKey;
  /** Lamports for a transaction. */
  readonly maxFee: () => bigint;
  /** See chooseUnitPrice. */
  pressure: bigint;
  /** As last observed. */
  finalHeight: number;
}

/**
 * The last block that may contain a transaction that is signed now, by all nodes together. One node's word is not enough: if it said too little,
 * the transaction would count as dead while it can still be in a block, and be paid twice. If it said too much, it would wait for ever.
 */
async function lastBlock({ sending }: Hot, { lastValidBlockHeight }: SolanaSendState): Promise<number> {
  const final = newestHeight(await sending.fetchFinalHeights());
  const said = boundHeight("the last block of a blockhash", lastValidBlockHeight, final, MOST_APART);
  return Math.max(said, final + LIFETIME_BLOCKS + NOT_FINAL_BLOCKS);
}

/**
 * The newest height of those that nodes say. If there are three or more, one that is far above all others errs. Between two, nothing says
 * which one errs: the higher one counts, so that nothing is dead too early.
 */
export function newestHeight(heights: readonly number[]): number {
  const [first = 0, second = first, third] = heights.toSorted((one, other) => other - one);
  return third !== undefined && first - second > MOST_APART ? second : first;
}

/** Fetches the state that a transaction depends on, with its last block, from a node that reports a possible one. */
export async function fetchState(
  hot: Hot,
  accounts: readonly string[],
): Promise<SolanaSendState & { readonly expires: number }> {
  let expires = 0;
  const state = await hot.sending.fetchState(accounts, async (answer) => {
    expires = await lastBlock(hot, answer);
  });
  return { ...state, expires };
}

/**
 * The blocks that could contain a transaction. A transaction whose last block is far ahead of the chain waits, however old it is: nodes
 * that started again from an old snapshot, and a chain that stood still, look the same as a node that erred when it was signed.
 */
export const rangeOf = ({ expires }: Pick<JournalEntry, "expires">) => ({
  lastValid: expires ?? Number.POSITIVE_INFINITY,
  // From the newest final block of when it was signed.
  blocks: LIFETIME_BLOCKS + MOST_APART,
});

/** Whether the last block is further ahead of the chain than that of any transaction that is signed now. */
export const isFarAhead = ({ expires }: Pick<JournalEntry, "expires">, final: number): boolean =>
  expires !== null && expires > final + MOST_APART;

/** Tries the transaction, and finds out what it needs and costs, in lamports with the rent. A text: why it must wait. */
export async function chooseFee(
  { key, sending, pressure }: Hot,
  {
    instructions,
    state,
    maxFee,
    ...needs
  }: {
    readonly instructions: readonly Instruction[];
    readonly state: SolanaSendState;
    /** Lamports for accounts that it creates. */
    readonly rent: bigint;
    readonly signatures: number;
    /** Lamports, rent included. */
    readonly maxFee: bigint;
  },
): Promise<{ readonly cost: bigint; readonly plan: SolanaPlan } | "would_fail" | "network_fee_too_high"> {
  const plan = { feePayer: key.address, instructions, blockhash: state.blockhash };
  const used = await sending.simulate(encodeUnsigned({ ...plan, units: MOST_UNITS, unitPrice: 0n }));
  if (used === null) return "would_fail";
  const costs = { ...needs, units: allowUnits(used) };
  const unitPrice = chooseUnitPrice(state, costs, { pressure, maxFee });
  if (unitPrice === null) return "network_fee_too_high";
  return { cost: costOf(costs, unitPrice), plan: { ...plan, units: costs.units, unitPrice } };
}

/**
 * Signs a transaction that differs from all own ones. Two that move the same with the same blockhash would be one, and pay once: the second
 * pays a little more for its compute units.
 */
export function signDistinct(plan: SolanaPlan, keys: readonly SolanaKey[], own: readonly JournalEntry[]) {
  const taken = new Set(own.map(({ hash }) => hash));
  for (let step = 0n; step < MOST_STEPS; step++) {
    const signed = signPlan({ ...plan, unitPrice: plan.unitPrice + step }, keys);
    if (!taken.has(signed.hash)) return signed;
  }
  throw new Error("too many transactions move the same with one blockhash");
}
