import type { Sighting } from "./types.ts";

/** Payments of one transaction that waits for a block, and where it was last seen waiting. */
export interface Shown {
  readonly sightings: readonly Sighting[];
  readonly node: string;
  readonly at: Date;
}

/** How long what one node shows is believed where another does not: news of a transaction travels in seconds. */
const BELIEVED_MS = 60_000;

/**
 * All that waits in the mempool, by transaction, now that `node` shows `fresh`. Every node has a mempool of its own:
 * what another showed a moment ago and this one does not is on its way, unless this one shows what replaced it.
 */
export function mergeMempools(
  before: ReadonlyMap<string, Shown>,
  fresh: readonly Sighting[],
  node: string,
  at: Date,
): ReadonlyMap<string, Shown> {
  const spent = new Set(fresh.flatMap(({ spends }) => spends));
  const merged = new Map<string, Shown>(
    [...Map.groupBy(fresh, ({ txHash }) => txHash)].map(([txHash, sightings]) => [
      txHash,
      { sightings, node, at },
    ]),
  );
  for (const [txHash, shown] of before) {
    const replaced = shown.sightings.some(({ spends }) => spends.some((outpoint) => spent.has(outpoint)));
    const believed = shown.node !== node && at.getTime() - shown.at.getTime() < BELIEVED_MS;
    if (believed && !replaced && !merged.has(txHash)) merged.set(txHash, shown);
  }
  return merged;
}
