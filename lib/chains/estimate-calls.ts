import { meanPauseMs } from "./block-rhythm.ts";
import { getFamily } from "./families.ts";
import { FINALITY_EVERY_MS } from "./finality-rules.ts";
import type { NetworkData } from "./network-data.ts";

const DAY_MS = 86_400_000;

/** Calls of a watcher to its node in a day, estimated from how often it asks and how often there are blocks. */
export interface CallEstimate {
  /** While payments are expected all day, with about 100 open links. */
  readonly open: number;
  /** While none is expected. */
  readonly idle: number;
}

/**
 * Returns the calls of a day. A call for each waiting transaction comes on top where nodes show them. Not for Electrum
 * servers, which say by themselves what is new.
 */
export function estimateCalls(data: NetworkData): CallEstimate {
  const { pollMs, idleMs = 0, blockSeconds, receivedTokens, coin, finality } = data;
  const every = (ms: number, isIdle: boolean) => {
    const finalityShare = isIdle ? 1 : Math.min(1, ms / FINALITY_EVERY_MS);
    const calls = getFamily(data).countCalls({
      blocks: ms / 1_000 / blockSeconds,
      isIdle,
      coin: receivedTokens?.includes(coin) ?? true,
      finality: finality.kind === "finalized" ? finalityShare : 0,
    });
    return Math.round((calls * DAY_MS) / ms);
  };
  const open = every(meanPauseMs(data), false);
  return { open, idle: idleMs > pollMs ? every(idleMs, true) : open };
}
