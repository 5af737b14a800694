import type { HoldReason, Payout } from "./types.ts";

/** The network that a payout must be for. `canonicalizeAddress`: null if a text is no address of the network. */
interface Place extends Pick<Payout, "env" | "network"> {
  readonly addresses: { canonicalize(text: string): string | null };
}

/**
 * Why what the database has is no payment on a network at all. Null if it is one. Limits are counted by the amount and the network that
 * stand here, and the transaction must move just that: on EVM networks a longer text than an address would write over the amount of the call.
 */
export function formRefusal({ env, network, addresses }: Place, payout: Payout): HoldReason | null {
  if (payout.env !== env || payout.network !== network) return "not_in_policy";
  if (addresses.canonicalize(payout.to) !== payout.to) return "destination_unsafe";
  return payout.amount > 0n ? null : "below_minimum";
}
