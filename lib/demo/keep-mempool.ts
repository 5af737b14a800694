import { setTimeout as delay } from "node:timers/promises";
import type { CoreNode } from "#lib/chains/utxo/core-client.ts";

const POLL_MS = 200;

/**
 * Has a node write its mempool down whenever that changed, which by itself it does only at an orderly end:
 * a killed node then still knows the payments that wait.
 */
export function keepMempool(node: CoreNode): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let saved = -1;
  const look = async () => {
    const { mempool_sequence: sequence } = (await node.call("getrawmempool", [false, true])) as {
      mempool_sequence: number;
    };
    if (sequence === saved) return;
    await node.call("savemempool");
    saved = sequence;
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      // The node may be gone for a while (killed by a test): what is on disk stays as it is.
      await look().catch(() => {});
      await delay(POLL_MS, null, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop() {
      stopping.abort();
      return loop;
    },
  };
}
