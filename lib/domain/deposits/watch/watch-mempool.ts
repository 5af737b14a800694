import { setTimeout as delay } from "node:timers/promises";
import { type MempoolReader, type MempoolView, NodeError } from "#lib/chains/network.ts";
import { listWaitingHashes } from "../record/store.ts";
import type { WatchContext } from "../types.ts";
import { findAddressOwners } from "./find-address-owners.ts";
import { createWakeableWait } from "./wakeable-wait.ts";
import { retryDelay } from "./watch-rules.ts";

/** Decisions that need the mempool wait for it at most this long. */
const WAIT_FOR_MEMPOOL_MS = 20_000;
/** A node that refuses to show its mempool is asked again after this time. */
const REFUSED_MS = 60_000;
/** Longest pause between two requests while transactions are to be fetched. */
const MAX_PAUSE_MS = 1_000;
/** Longest pause after a failure, unless the node asks for more. */
const MAX_RETRY_MS = 5_000;
const MAX_ASKED_MS = 30_000;

/** What is read of the mempool beside the passes. */
export interface MempoolWatch {
  /** The newest view of this node's mempool. null: it was not read yet. */
  view(node: string): MempoolView | null;
  /** Why the node refuses to show its mempool: payments are then seen when a block holds them. null: it does not. */
  refusal(): string | null;
  /**
   * Returns when what is known of a network began to be complete, for a pass that began at `startedAt`: earlier if the
   * mempool was read earlier. null: the mempool is being read for the first time. A mempool that cannot be read, or has
   * too much to read, is not waited for.
   */
  findCompleteSince(startedAt: Date): Date | null;
  /** Looks again at once. */
  wake(): void;
  /** Resolves when the requests under way have ended. */
  stop(): Promise<void>;
}

/**
 * Reads the mempool of the node in use until it is stopped, step by step, and keeps what was read when a step fails. It
 * writes nothing: the passes record what it found. Calls `onNews` when they should. Returns null on a network without a
 * visible mempool.
 */
export function watchMempool(
  watch: WatchContext,
  onNews: () => void,
  stopping: AbortSignal,
): MempoolWatch | null {
  const { mempool } = watch.adapter;
  return mempool ? startReading({ ...watch, onNews }, mempool, stopping) : null;
}

function startReading(
  watch: WatchContext & { readonly onNews: () => void },
  reader: MempoolReader,
  stopping: AbortSignal,
): MempoolWatch {
  const stopped = new AbortController();
  const signal = AbortSignal.any([stopping, stopped.signal]);
  const wait = createWakeableWait(signal);
  const startedAt = watch.now().getTime();
  let view: MempoolView | null = null;
  let refusal: string | null = null;
  /** When the newest list began that was read completely. */
  let completeSince: Date | null = null;
  let lookedAt = watch.now();

  async function readUntilStopped(): Promise<void> {
    const { pollMs } = watch.adapter.data;
    let failures = 0;
    let lastError = "";
    let lookEveryMs = pollMs;
    while (!signal.aborted) {
      const began = watch.now();
      const failure = await readStep(began, lookEveryMs).catch((error: unknown) => error);
      if (signal.aborted) break;
      refusal = failure instanceof NodeError && failure.kind === "refused" ? failure.message : null;
      if (refusal !== null) view = null;
      if (failure === null) {
        if (failures > 0) watch.log.info({ failures }, "mempool is read again");
        failures = 0;
        lastError = "";
        lookEveryMs = (await pauseAfter(began)) ? 0 : pollMs;
        continue;
      }
      failures += 1;
      if (String(failure) !== lastError) watch.log.warn({ err: failure }, describe(refusal));
      lastError = String(failure);
      const ms = refusal
        ? REFUSED_MS
        : retryAfter(failure, Math.min(MAX_RETRY_MS, retryDelay(failures, pollMs, Math.random())));
      await delay(ms, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns why not all could be read; null: all was. Throws what readStep throws. */
  async function readStep(began: Date, lookEveryMs: number): Promise<NodeError | null> {
    const before = view;
    view = await reader.readStep({
      ours: async (addresses) => new Set((await findAddressOwners(watch, addresses)).keys()),
      wanted: () => listWaitingHashes(watch.database.db, watch),
      lookEveryMs,
      signal,
    });
    if (view.looked) lookedAt = began;
    if (isComplete(view, began)) completeSince = lookedAt;
    if (isNews(before, view)) watch.onNews();
    return view.failure;
  }

  /** What waited before the first list is only waited for at the beginning. */
  function isComplete({ arrivals, backlog }: MempoolView, now: Date): boolean {
    return arrivals === 0 && (backlog === 0 || now.getTime() - startedAt > WAIT_FOR_MEMPOOL_MS);
  }

  /** Returns whether the next step must look at once. While there is more to fetch, half of the time is left to the passes. */
  async function pauseAfter(began: Date): Promise<boolean> {
    if (view === null || view.arrivals + view.backlog === 0)
      return wait.untilActivity(watch.adapter.data.pollMs);
    const took = Math.max(0, watch.now().getTime() - began.getTime());
    await delay(Math.min(MAX_PAUSE_MS, took), undefined, { signal }).catch(() => {});
    return false;
  }

  const reading = readUntilStopped();
  return {
    view: (node) => (view?.node === node ? view : null),
    refusal: () => refusal,
    findCompleteSince(passStartedAt) {
      const now = passStartedAt.getTime();
      if (refusal !== null) return passStartedAt;
      if (completeSince !== null && now - completeSince.getTime() < WAIT_FOR_MEMPOOL_MS)
        return completeSince < passStartedAt ? completeSince : passStartedAt;
      return now - startedAt < WAIT_FOR_MEMPOOL_MS ? null : passStartedAt;
    },
    wake: wait.wake,
    async stop() {
      stopped.abort();
      await reading;
    },
  };
}

function describe(refusal: string | null): string {
  return refusal === null
    ? "mempool not read"
    : "node shows no mempool: payments are seen when a block holds them";
}

/** Returns how long to wait after a failure: `ms`, or what the node asks for. */
function retryAfter(failure: unknown, ms: number): number {
  return Math.max(ms, failure instanceof NodeError ? Math.min(failure.retryAfterMs ?? 0, MAX_ASKED_MS) : 0);
}

/** Returns whether a pass has something to record. */
function isNews(before: MempoolView | null, { list, gone, transfers }: MempoolView): boolean {
  if (before === null || (gone.length > 0 && list !== before.list)) return true;
  const known = new Set(before.transfers.map(({ txHash, position }) => `${txHash} ${position}`));
  return (
    known.size !== transfers.length ||
    transfers.some(({ txHash, position }) => !known.has(`${txHash} ${position}`))
  );
}
