import type { ChainHead } from "#lib/chains/blocks.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import type { FinalityProgress } from "#lib/domain/network-status/types.ts";

/** Shorter times are no trouble on fast networks: clocks differ, and proxies keep answers. */
const SHORTEST_SECONDS = 60;
/**
 * A head is stale after the time of this many blocks. Where blocks are found by chance (proof of work), a pause of 20
 * target times has the probability e^-20: bitcoin would have one in 10,000 years.
 */
const STALE_BLOCKS = 20;
/** Finality is late after this many times its usual delay. */
const LATE_DELAYS = 5;

/**
 * Returns whether the newest block is so old that the node, or its chain, has stopped. Then nothing that was paid since
 * is visible. False where the node does not report the time, and on development chains, whose blocks come on demand.
 */
export function isStaleHead({ time }: Pick<ChainHead, "time">, data: NetworkData, now: Date): boolean {
  if (data.isDevelopment || time === null || time === undefined) return false;
  const limit = Math.max(SHORTEST_SECONDS, STALE_BLOCKS * data.blockSeconds);
  return now.getTime() - time.getTime() > limit * 1_000;
}

/**
 * Returns the finality at this head. Late: it has not grown for LATE_DELAYS times its usual delay, and is as many blocks
 * further below the head. `before` is what was stored last.
 */
export function followFinality(
  before: FinalityProgress,
  { height, finalizedHeight }: Pick<ChainHead, "height" | "finalizedHeight">,
  { finality, finalBlocks, blockSeconds, isDevelopment }: NetworkData,
  now: Date,
): FinalityProgress {
  if (finality.kind === "confirmations" || finalBlocks === null)
    return { finalizedHeight: null, finalizedSince: null, finalityLate: false };
  const grown = (finalizedHeight ?? -1) > (before.finalizedHeight ?? -1);
  const finalizedSince = grown ? now : (before.finalizedSince ?? now);
  const limit = Math.max(SHORTEST_SECONDS, LATE_DELAYS * finalBlocks * blockSeconds);
  const isOld = now.getTime() - finalizedSince.getTime() > limit * 1_000;
  const isFarBelow = height - (finalizedHeight ?? -1) > LATE_DELAYS * finalBlocks;
  return { finalizedHeight, finalizedSince, finalityLate: !isDevelopment && isOld && isFarBelow };
}
