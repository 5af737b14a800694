import { setTimeout as delay } from "node:timers/promises";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { findCursor } from "../record/store.ts";
import type { WatchContext } from "../types.ts";
import { createPassMemory, runPass } from "../watch/run-pass.ts";
import { takeWatchLock } from "../watch/watch-lock.ts";

/** How long a caller waits for blocks to be read. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Under way, one for all who wait: many callers at once take one connection. */
const reading = new WeakMap<NetworkAdapter, Promise<void>>();

/**
 * Waits until the block at `height` has been read, 10 seconds at most: by the network's watcher, or, where none runs
 * anywhere, by this process in its place. Resolves to the height that was read last. Throws NodeError.
 */
export async function waitForHeight(watch: WatchContext, height: number): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const read = (await findCursor(watch.database.db, watch))?.height ?? -1;
    if (read >= height || Date.now() > deadline) return read;
    await readOnceForAll(watch, deadline);
    await delay(LOOK_EVERY_MS);
  }
}

function readOnceForAll(watch: WatchContext, deadline: number): Promise<void> {
  const running = reading.get(watch.adapter);
  if (running !== undefined) return running;
  const started = readBlocksIfUnwatched(watch, deadline).finally(() => reading.delete(watch.adapter));
  reading.set(watch.adapter, started);
  return started;
}

/** Nothing where another process watches. */
async function readBlocksIfUnwatched(watch: WatchContext, deadline: number): Promise<void> {
  const lock = await takeWatchLock(watch.database.url, watch);
  if (lock === null) return;
  try {
    const memory = createPassMemory();
    while (lock.isHeld() && Date.now() < deadline) if (!(await runPass(watch, memory))) return;
  } finally {
    await lock.release();
  }
}
