import type { AddressBook } from "#lib/chains/address-book.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { listRetryTimes } from "#lib/domain/attention/queries.ts";
import { listDueAddresses } from "#lib/domain/payment-links/queries.ts";
import { listAddressesAbove, listAddressesBelow } from "#lib/domain/wallets/queries.ts";
import { clockOf } from "#lib/platform/clock.ts";
import { findRecordedBlocks, listPaidAbove } from "../queries.ts";
import { upsertWatchError } from "../record/cursor-store.ts";
import { transactionSubject } from "../rules.ts";
import type { WatchContext, WatchDeps } from "../types.ts";
import { countFailure, countPass } from "../watch-metrics.ts";
import type { HintListener } from "./listen-for-hints.ts";
import { createPace } from "./pace.ts";
import { createPassMemory } from "./pass-rules.ts";
import { isUnreadableBlocksError } from "./read-blocks.ts";
import { runPass } from "./run-pass.ts";
import { shareNetworks, type WatchOne } from "./share-networks.ts";
import { createWakeableWait } from "./wakeable-wait.ts";
import { watchMempool } from "./watch-mempool.ts";
import { pauseAfterFailure } from "./watch-rules.ts";

/** The longest pause that a node can ask for. Another node of the network may answer earlier. */
const MAX_PAUSE_MS = 30_000;
/** A link's end is decided after its addresses were asked about again, so they are named before. */
const DUE_MS = 600_000;

/** Returns what every step of watching this network needs. */
export function createWatchContext(
  {
    database,
    paymentLinks,
    log,
    ...clock
  }: Pick<WatchDeps, "database" | "paymentLinks" | "log" | "now" | "sleep">,
  adapter: NetworkAdapter,
): WatchContext {
  const { env, network } = adapter;
  return {
    env,
    network,
    adapter,
    database,
    paymentLinks,
    log: log.child({ env, network }),
    ...clockOf(clock),
  };
}

/**
 * Starts a watcher for every network of this worker's share (share-networks.ts). Each has its own loop, so one chain or node cannot stop
 * another. One process at a time watches a network. The others wait for its lock and continue when that process ends. `stop`
 * resolves when every loop has ended.
 */
export function startWatchers(deps: WatchDeps): { stop(): Promise<void> } {
  const { database, networks, log, hints = null } = deps;
  const watches = networks.all().map((adapter) => createWatchContext(deps, adapter));
  return shareNetworks({ databaseUrl: database.url, watches, log }, (watch, signals) =>
    watchNetwork(watch, hints, signals),
  );
}

/** Runs passes until `ending` aborts. After an error it waits and tries again. `stopping` breaks a pass off. */
async function watchNetwork(
  watch: WatchContext,
  hints: HintListener | null,
  { ending, stopping, onPass }: Parameters<WatchOne>[1],
): Promise<void> {
  const { adapter } = watch;
  const { pollMs } = adapter.data;
  const memory = createPassMemory();
  adapter.addressWatch?.watch(openAddressBook(watch));
  let failures = 0;
  let lastError = "";
  let lastKind = "";
  let ofKind = 0;
  const wait = createWakeableWait(ending, watch);
  const pace = createPace(
    watch,
    () => !ending.aborted,
    () => mempool?.wake(),
  );
  const mempool = watchMempool(watch, { lastRead: memory.lastRead, pace, onNews: wait.wake, stopping });
  const unsubscribe = adapter.news?.listen((news) => {
    // The mempool's reader wakes the passes when it finds something.
    if (news === "block" || mempool === null) wait.wake();
    mempool?.wake();
  });
  const ignoreHints = hints?.onHint(watch, wait.wake);
  while (!ending.aborted) {
    const startedAt = watch.now();
    try {
      const more = await runPass(watch, memory, { mempool, stopping, isIdle: pace.isIdle() });
      countPass(watch);
      onPass(true);
      if (failures > 0) watch.log.info({ failures }, "network is watched again");
      failures = 0;
      lastError = "";
      lastKind = "";
      if (memory.progress.kind === "failed") memory.progress = { kind: "due" };
      if (!more) await pace.untilNextPass(wait, { startedAt, newest: memory.newest });
    } catch (error) {
      if (ending.aborted) break;
      failures += 1;
      const kind = error instanceof NodeError ? error.kind : "internal";
      ofKind = kind === lastKind ? ofKind + 1 : 1;
      lastKind = kind;
      countFailure(watch, kind);
      onPass(false);
      // A node that catches up names another block each time.
      const text = kind === "stale" ? kind : describe(error);
      if (text !== lastError) await reportError(watch, error, describe(error));
      lastError = text;
      memory.progress = { kind: "failed" };
      const retryAfterMs = error instanceof NodeError ? (error.retryAfterMs ?? 0) : 0;
      const requested = Math.min(retryAfterMs, MAX_PAUSE_MS);
      const isPassing = error instanceof NodeError && error.isPassing;
      const paces = { pollMs, everyMs: pace.everyMs() };
      const pause = pauseAfterFailure({ kind, isPassing, failures: ofKind }, paces, Math.random());
      await watch.sleep(Math.max(pause, requested), ending);
    }
  }
  unsubscribe?.();
  ignoreHints?.();
  await mempool?.stop();
}

function describe(error: unknown): string {
  if (error instanceof NodeError) return `${error.kind}: ${error.message}`;
  return "internal error, see the log";
}

/** Returns whether the operator must act: the error does not go away without a change. */
function needsOperator(error: NodeError): boolean {
  return isUnreadableBlocksError(error) || error.kind === "wrong_chain";
}

/** Logs and stores an error. Called once for each error, not for each attempt. */
async function reportError(watch: WatchContext, error: unknown, text: string): Promise<void> {
  if (error instanceof NodeError && !needsOperator(error))
    watch.log.warn({ err: error }, "no node is usable");
  else watch.log.error({ err: error }, "network is not watched");
  await upsertWatchError(watch.database.db, watch, text, watch.now()).catch((failure: unknown) => {
    watch.log.error({ err: failure }, "watch error not stored");
  });
}

/** Opens the addresses that a node must know if it does not show whole blocks. */
export function openAddressBook(watch: WatchContext): AddressBook {
  const { db } = watch.database;
  return {
    listBefore: (id, limit) => listAddressesBelow(db, watch, id, limit),
    listAfter: (id, limit) => listAddressesAbove(db, watch, id, limit),
    listDue: (limit) =>
      listDueAddresses(db, watch, { before: new Date(watch.now().getTime() + DUE_MS), limit }),
    listPaidAbove: (height) => listPaidAbove(db, watch, height),
    findRecordedBlocks: (txHashes) => findRecordedBlocks(db, watch, txHashes),
    findSetAside: async (txHashes) => {
      const subject = (txHash: string) => transactionSubject(watch, txHash);
      const retried = await listRetryTimes(db, txHashes.map(subject));
      return new Set(txHashes.filter((txHash) => retried.has(subject(txHash))));
    },
  };
}
