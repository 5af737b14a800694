import { setTimeout as delay } from "node:timers/promises";
import type { CoreNode } from "#lib/chains/utxo/core-client.ts";

const POLL_MS = 200;

/**
 * Makes a node write its mempool after every change. By itself it does so only at an orderly stop, and a
 * killed node would forget waiting payments.
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
      // A test may have killed the node: leave the files as they are.
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
