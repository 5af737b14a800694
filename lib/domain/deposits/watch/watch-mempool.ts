import type { MempoolReader, MempoolView } from "#lib/chains/mempool-reader.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { LastRead } from "#lib/chains/node-rules.ts";
import { findAddressOwners } from "../find-address-owners.ts";
import { listWaitingHashes } from "../record/store.ts";
import type { WatchContext } from "../types.ts";
import type { Pace } from "./pace.ts";
import { createWakeableWait } from "./wakeable-wait.ts";
import { retryDelay } from "./watch-rules.ts";

/** Decisions that need the mempool wait for it at most this long. */
const WAIT_FOR_MEMPOOL_MS = 20_000;
/** A node that always refuses to show its mempool is asked again after this time. One refusal may be chance. */
const LONGEST_REFUSED_MS = 60_000;
/** Longest pause between two requests while transactions are to be fetched. */
const MAX_PAUSE_MS = 1_000;
const MAX_ASKED_MS = 30_000;

/** The reader of the mempool. It works in parallel with the passes. */
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

interface MempoolOptions {
  /** The newest block that the passes have read. */
  readonly lastRead: Pick<LastRead, "hash">;
  readonly pace: Pick<Pace, "everyMs">;
  readonly onNews: () => void;
  readonly stopping: AbortSignal;
}

/**
 * Reads the mempool of the node in use until it is stopped, step by step, and keeps what was read when a step fails. It
 * writes nothing: the passes record what it found. Calls `onNews` when they should. Returns null on a network without a
 * visible mempool.
 */
export function watchMempool(watch: WatchContext, options: MempoolOptions): MempoolWatch | null {
  const { mempool } = watch.adapter;
  return mempool ? new MempoolReading(watch, mempool, options) : null;
}

class MempoolReading implements MempoolWatch {
  readonly #watch: WatchContext;
  readonly #reader: MempoolReader;
  readonly #lastRead: MempoolOptions["lastRead"];
  readonly #pace: MempoolOptions["pace"];
  readonly #onNews: () => void;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  readonly #wait: ReturnType<typeof createWakeableWait>;
  readonly #startedAt: number;
  readonly #reading: Promise<void>;
  #view: MempoolView | null = null;
  #refusal: string | null = null;
  #lookedAt: Date;
  /** When the newest list began that was read completely. */
  #completeSince: Date | null = null;

  constructor(
    watch: WatchContext,
    reader: MempoolReader,
    { lastRead, pace, onNews, stopping }: MempoolOptions,
  ) {
    this.#watch = watch;
    this.#reader = reader;
    this.#lastRead = lastRead;
    this.#pace = pace;
    this.#onNews = onNews;
    this.#signal = AbortSignal.any([stopping, this.#stopped.signal]);
    this.#wait = createWakeableWait(this.#signal, watch);
    this.#lookedAt = watch.now();
    this.#startedAt = this.#lookedAt.getTime();
    this.#reading = this.#readUntilStopped();
  }

  view(node: string): MempoolView | null {
    return this.#view?.node === node ? this.#view : null;
  }

  refusal(): string | null {
    return this.#refusal;
  }

  findCompleteSince(passStartedAt: Date): Date | null {
    const now = passStartedAt.getTime();
    const since = this.#completeSince;
    if (this.#refusal !== null) return passStartedAt;
    if (since !== null && now - since.getTime() < WAIT_FOR_MEMPOOL_MS)
      return since < passStartedAt ? since : passStartedAt;
    return now - this.#startedAt < WAIT_FOR_MEMPOOL_MS ? null : passStartedAt;
  }

  wake(): void {
    this.#wait.wake();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#reading;
  }

  async #readUntilStopped(): Promise<void> {
    const { log, adapter, sleep } = this.#watch;
    const { pollMs } = adapter.data;
    let failures = 0;
    let refusals = 0;
    let lastError = "";
    let lookEveryMs = pollMs;
    while (!this.#signal.aborted) {
      const began = this.#watch.now();
      const failure = await this.#readStep(began, lookEveryMs).catch((error: unknown) => error);
      if (this.#signal.aborted) break;
      this.#refusal = failure instanceof NodeError && failure.kind === "refused" ? failure.message : null;
      refusals = this.#refusal === null ? 0 : refusals + 1;
      if (this.#refusal !== null) this.#view = null;
      if (failure === null) {
        if (failures > 0) log.info({ failures }, "mempool is read again");
        failures = 0;
        lastError = "";
        lookEveryMs = (await this.#pauseAfter(began)) ? 0 : this.#pace.everyMs();
        continue;
      }
      failures += 1;
      if (String(failure) !== lastError) log.warn({ err: failure }, describe(this.#refusal));
      lastError = String(failure);
      const usual = retryDelay({ passing: true, failures }, pollMs, Math.random());
      const refused = Math.min(LONGEST_REFUSED_MS, pollMs * 2 ** Math.min(refusals, 16));
      await sleep(this.#refusal === null ? retryAfter(failure, usual) : refused, this.#signal);
    }
  }

  /** Returns why not all could be read; null: all was. Throws what readStep throws. */
  async #readStep(began: Date, lookEveryMs: number): Promise<NodeError | null> {
    const watch = this.#watch;
    const before = this.#view;
    const view = await this.#reader.readStep({
      ours: async (addresses) => new Set((await findAddressOwners(watch, addresses)).keys()),
      wanted: () => listWaitingHashes(watch.database.db, watch),
      block: this.#lastRead.hash,
      lookEveryMs,
      signal: this.#signal,
    });
    this.#view = view;
    if (view.looked) this.#lookedAt = began;
    // The passes wait only at the beginning for transactions that are older than the first list.
    const isRead = view.backlog === 0 || began.getTime() - this.#startedAt > WAIT_FOR_MEMPOOL_MS;
    if (isRead && view.arrivals === 0) this.#completeSince = this.#lookedAt;
    if (isNews(before, view)) this.#onNews();
    return view.failure;
  }

  /** Returns whether the next step must look at once. While there is more to fetch, half of the time is left to the passes. */
  async #pauseAfter(began: Date): Promise<boolean> {
    const { now, sleep } = this.#watch;
    const view = this.#view;
    if (view === null || view.arrivals + view.backlog === 0)
      return this.#wait.untilActivity(this.#pace.everyMs());
    await sleep(Math.min(MAX_PAUSE_MS, Math.max(0, now().getTime() - began.getTime())), this.#signal);
    return false;
  }
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
