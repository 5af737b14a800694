import { setTimeout as delay } from "node:timers/promises";
import { NodeError } from "#lib/chains/network.ts";
import { createWatchContext } from "../open-watch.ts";
import { upsertWatchError } from "../record/store.ts";
import { retryDelay } from "../rules.ts";
import type { WatchContext, WatchDeps } from "../types.ts";
import { isUnreadableBlocksError } from "./read-blocks.ts";
import { createPassMemory, runPass } from "./run-pass.ts";
import { takeWatchLock, type WatchLock } from "./watch-lock.ts";
import { countFailure, countPass } from "./watch-metrics.ts";

const LOCK_EVERY_MS = 500;
/** However long a node wants to be left alone: the network may have another one by then. */
const LONGEST_PAUSE_MS = 30_000;

/**
 * Watches every network that is on, each in a loop of its own: what one chain or node does stops no other. A network
 * that another process watches is stood by for and taken over. `stop` resolves when every loop has ended.
 */
export function startWatchers(deps: WatchDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = deps.networks.all().map((adapter) => {
    const watch = createWatchContext(deps, adapter);
    return watchNetwork(watch, stopping.signal).catch((error: unknown) => {
      watch.log.fatal({ err: error }, "the watcher ended");
    });
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function watchNetwork(watch: WatchContext, stopping: AbortSignal): Promise<void> {
  let waiting = false;
  while (!stopping.aborted) {
    const lock = await takeWatchLock(watch.database.url, watch).catch((error: unknown) => {
      watch.log.error({ err: error }, "the database does not answer the watcher");
      return null;
    });
    if (lock === null) {
      if (!waiting) watch.log.info("standing by: another process watches");
      waiting = true;
      await pause(LOCK_EVERY_MS, stopping);
      continue;
    }
    waiting = false;
    watch.log.info("watching");
    await watchWhileHeld(watch, lock, stopping);
    await lock.release();
  }
}

async function watchWhileHeld(watch: WatchContext, lock: WatchLock, stopping: AbortSignal): Promise<void> {
  const { adapter } = watch;
  const { pollMs } = adapter.data;
  const memory = createPassMemory();
  let failures = 0;
  let lastError = "";
  const rest = createWakeableWait(stopping);
  const deaf = adapter.onActivity?.(rest.wake);
  while (lock.isHeld() && !stopping.aborted) {
    try {
      const more = await runPass(watch, memory, stopping);
      countPass(watch, watch.now());
      if (failures > 0) watch.log.info({ failures }, "the network is watched again");
      failures = 0;
      lastError = "";
      memory.hasStoredError = false;
      if (!more) await rest.untilNews(pollMs);
    } catch (error) {
      if (stopping.aborted) break;
      failures += 1;
      countFailure(watch, error instanceof NodeError ? error.kind : "internal");
      const text = describe(error);
      if (text !== lastError) await reportError(watch, error, text);
      lastError = text;
      memory.hasStoredError = true;
      const asked = error instanceof NodeError ? (error.retryAfterMs ?? 0) : 0;
      const wait = Math.max(retryDelay(failures, pollMs, Math.random()), Math.min(asked, LONGEST_PAUSE_MS));
      await pause(wait, stopping);
    }
  }
  deaf?.();
}

/** The wait for the next pass, cut short by news of the node; news during a pass make it none. */
function createWakeableWait(stopping: AbortSignal) {
  let news = false;
  let end = () => {};
  const wake = () => {
    news = true;
    end();
  };
  stopping.addEventListener("abort", wake, { once: true });
  return {
    wake,
    async untilNews(ms: number): Promise<void> {
      if (!news) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      news = false;
    },
  };
}

function describe(error: unknown): string {
  if (error instanceof NodeError) return `${error.kind}: ${error.message}`;
  return "internal error, see the log";
}

/** Nothing that passes by itself. */
function needsPerson(error: NodeError): boolean {
  return isUnreadableBlocksError(error) || error.kind === "wrong_chain";
}

/** Once per error, not once per attempt. */
async function reportError(watch: WatchContext, error: unknown, text: string): Promise<void> {
  if (error instanceof NodeError && !needsPerson(error))
    watch.log.warn({ err: error }, "no node can be used");
  else watch.log.error({ err: error }, "the network is not watched");
  await upsertWatchError(watch.database.db, watch, text, watch.now()).catch((failure: unknown) => {
    watch.log.error({ err: failure }, "the watcher's error could not be stored");
  });
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping }).catch(() => {});
}
