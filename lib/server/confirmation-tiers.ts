import type { ConfirmationTier, Finality } from "#lib/chains/network-data.ts";

const MOST_BLOCKS = 1_000;
/** "100:1" and "*:6": whole USD or everything above, and blocks. */
const TIER = /^\s*([1-9][0-9]{0,11}|\*)\s*:\s*([1-9][0-9]{0,3})\s*$/;

/**
 * Parses confirmation tiers: "100:1, 10000:2, *:6" is up to 100 USD 1 block, up to 10,000 USD 2, above 6. Null unless the
 * amounts ascend, the blocks never decrease, and only the last tier has no amount.
 */
export function parseConfirmationTiers(text: string): readonly ConfirmationTier[] | null {
  const tiers: ConfirmationTier[] = [];
  for (const part of text.split(",")) {
    const [, amount, count] = TIER.exec(part) ?? [];
    if (amount === undefined) return null;
    const tier = { upToUsd: amount === "*" ? null : Number(amount), blocks: Number(count) };
    const before = tiers.at(-1);
    if (tier.blocks > MOST_BLOCKS) return null;
    if (before !== undefined && !isAbove(tier, before)) return null;
    tiers.push(tier);
  }
  return tiers.at(-1)?.upToUsd === null ? tiers : null;
}

function isAbove(tier: ConfirmationTier, before: ConfirmationTier): boolean {
  if (before.upToUsd === null || tier.blocks < before.blocks) return false;
  return tier.upToUsd === null || tier.upToUsd > before.upToUsd;
}

/** The fewest blocks that a network's highest tier may have: those of its own lowest tier. */
export function leastHighestTier({ tiers }: Extract<Finality, { kind: "confirmations" }>): number {
  return tiers[0]?.blocks ?? 1;
}

/** Writes tiers as parseConfirmationTiers reads them. "finalized" where the node reports which blocks are final. */
export function describeFinality(finality: Finality): string {
  if (finality.kind === "finalized") return "finalized";
  return finality.tiers.map(({ upToUsd, blocks }) => `${upToUsd ?? "*"}:${blocks}`).join(", ");
}
