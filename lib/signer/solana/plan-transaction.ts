import type { Instruction } from "@solana/kit";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { SolanaSending } from "#lib/chains/solana/sending.ts";
import type { SolanaSendState } from "#lib/chains/solana/types.ts";
import type { JournalEntry } from "../types.ts";
import { encodeUnsigned, MOST_UNITS, type SolanaPlan, signPlan } from "./build-transaction.ts";
import { allowUnits, chooseUnitPrice, costOf, MOST_STEPS } from "./fee-rules.ts";
import type { SolanaKey } from "./hot-key.ts";

/** The hot account, and what was last observed. */
export interface Hot {
  readonly adapter: NetworkAdapter;
  readonly sending: SolanaSending;
  readonly key: SolanaKey;
  /** Lamports for a transaction. */
  readonly maxFee: () => bigint;
  /** See chooseUnitPrice. */
  pressure: bigint;
  /** As last observed. */
  finalHeight: number;
}

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
