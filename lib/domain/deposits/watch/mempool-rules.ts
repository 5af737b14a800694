import type { TransferObservation } from "../types.ts";

/** Payments of one transaction that waits for a block, and where it was last seen waiting. */
export interface MempoolEntry {
  readonly observations: readonly TransferObservation[];
  readonly node: string;
  readonly seenAt: Date;
}

/** How long what one node shows is trusted where another does not: news of a transaction travels in seconds. */
const TRUSTED_MS = 60_000;

/**
 * All that waits in the mempool, by transaction, now that `node` shows `fresh`. Every node has a mempool of its own:
 * what another showed a moment ago and this one does not is on its way, unless this one shows what replaced it.
 */
export function mergeMempools(
  before: ReadonlyMap<string, MempoolEntry>,
  fresh: readonly TransferObservation[],
  node: string,
  now: Date,
): ReadonlyMap<string, MempoolEntry> {
  const spent = new Set(fresh.flatMap(({ spends }) => spends));
  const merged = new Map<string, MempoolEntry>(
    [...Map.groupBy(fresh, ({ txHash }) => txHash)].map(([txHash, observations]) => [
      txHash,
      { observations, node, seenAt: now },
    ]),
  );
  for (const [txHash, entry] of before) {
    const replaced = entry.observations.some(({ spends }) => spends.some((outpoint) => spent.has(outpoint)));
    const trusted = entry.node !== node && now.getTime() - entry.seenAt.getTime() < TRUSTED_MS;
    if (trusted && !replaced && !merged.has(txHash)) merged.set(txHash, entry);
  }
  return merged;
}
