import type { NetworkAdapter } from "#lib/chains/network.ts";
import { findCursor } from "../record/cursor-store.ts";
import type { WatchContext } from "../types.ts";
import { createPassMemory } from "../watch/pass-rules.ts";
import { runPass } from "../watch/run-pass.ts";
import { takeWatchLock } from "../watch/watch-lock.ts";

/** The longest time that a caller waits. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 100;

/** Reads in progress, by network. All callers of a network share one, so that they use one connection. */
const reads = new WeakMap<NetworkAdapter, Promise<void>>();

/**
 * Waits until the block at `height` has been read, at most 10 seconds. The network's watcher reads it. When no process
 * watches the network, this process does. Resolves to the height that was read last. Throws NodeError.
 */
export async function waitForHeight(watch: WatchContext, height: number): Promise<number> {
  const deadline = watch.now().getTime() + MAX_WAIT_MS;
  for (;;) {
    const read = (await findCursor(watch.database.db, watch))?.height ?? -1;
    if (read >= height || watch.now().getTime() > deadline) return read;
    await readOnceForAll(watch, deadline);
    await watch.sleep(POLL_MS);
  }
}

function readOnceForAll(watch: WatchContext, deadline: number): Promise<void> {
  const running = reads.get(watch.adapter);
  if (running !== undefined) return running;
  const started = readBlocksIfUnwatched(watch, deadline).finally(() => reads.delete(watch.adapter));
  reads.set(watch.adapter, started);
  return started;
}

/** Runs passes up to the head. Does nothing when another process watches the network. */
async function readBlocksIfUnwatched(watch: WatchContext, deadline: number): Promise<void> {
  const lock = await takeWatchLock(watch.database.url, watch);
  if (lock === null) return;
  try {
    const memory = createPassMemory();
    while (lock.isHeld() && watch.now().getTime() < deadline) if (!(await runPass(watch, memory))) return;
  } finally {
    await lock.release();
  }
}
