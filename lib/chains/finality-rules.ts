import type { Finality } from "./network-data.ts";

/** While no deposit waits for it, a node is asked at most this often which block is final. An idle network is asked in each pass, with its head. */
export const FINALITY_EVERY_MS = 120_000;

/** How far the chain is read. `finalizedHeight` is null on networks that only count confirmations. */
export interface ChainTip {
  readonly height: number;
  readonly finalizedHeight: number | null;
}

/**
 * Counts the blocks from the given one up to the tip, both included. On networks that finalize: 1 for a final block,
 * otherwise 0.
 */
export function countConfirmations(finality: Finality, blockHeight: number, tip: ChainTip): number {
  if (blockHeight > tip.height) return 0;
  if (finality.kind === "confirmations") return tip.height - blockHeight + 1;
  return tip.finalizedHeight !== null && blockHeight <= tip.finalizedHeight ? 1 : 0;
}

/** Returns the height up to which every block is final for any amount. Below 0 when no block is. */
export function getFinalHeight(finality: Finality, tip: ChainTip): number {
  if (finality.kind === "finalized") return tip.finalizedHeight ?? -1;
  return tip.height - Math.max(...finality.tiers.map(({ blocks }) => blocks)) + 1;
}

/** Returns whether a block of this height is final for any amount. */
export function isFinalBlock(finality: Finality, blockHeight: number, tip: ChainTip): boolean {
  return blockHeight <= getFinalHeight(finality, tip);
}

/**
 * Returns how many confirmations money of this value in USD cents needs, by its tier. An unknown value (null) needs the
 * most.
 */
export function getRequiredConfirmations(finality: Finality, usdCents: bigint | null): number {
  if (finality.kind === "finalized") return 1;
  if (usdCents === null) return Math.max(1, ...finality.tiers.map(({ blocks }) => blocks));
  const tier =
    finality.tiers.find(({ upToUsd }) => upToUsd === null || usdCents <= BigInt(upToUsd) * 100n) ??
    finality.tiers.at(-1);
  return Math.max(1, tier?.blocks ?? 1);
}
