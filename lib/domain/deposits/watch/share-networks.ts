import type { Logger } from "pino";
import { SYSTEM_CLOCK } from "#lib/platform/clock.ts";
import type { WatchContext } from "../types.ts";
import {
  decideShare,
  type FailedPasses,
  type Holdings,
  isFailing,
  NO_SHARE_MEMORY,
  NONE_FAILED,
  type ShareMemory,
} from "./share-rules.ts";
import { nameOf, openWatchSession, type WatchSession } from "./watch-session.ts";

/** How often a worker looks for networks that are free, and for workers that have come or gone. */
const LOOK_EVERY_MS = 300;

export interface ShareDeps {
  readonly databaseUrl: string;
  readonly watches: readonly WatchContext[];
  readonly log: Logger;
}

/**
 * Watches a network until `ending` aborts: the worker gives the network up, has lost its lock, or stops (`stopping`). Calls `onPass` after each
 * pass.
 */
export type WatchOne = (
  watch: WatchContext,
  signals: {
    readonly ending: AbortSignal;
    readonly stopping: AbortSignal;
    readonly onPass: (isGood: boolean) => void;
  },
) => Promise<void>;

/**
 * Watches the networks of this worker's share. Workers with the same networks share them equally: each takes free networks up to its share,
 * and gives up what it holds above its share when a worker has come. What it cannot read for half a minute it leaves to another worker. One
 * worker at a time holds a network. It ends its pass before it releases the lock. `stop` resolves when all of them have ended.
 */
export function shareNetworks(deps: ShareDeps, watchOne: WatchOne): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = new NetworkShares(deps, watchOne, stopping.signal).run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

interface Watching {
  readonly session: WatchSession;
  /** Aborted when the worker gives the network up. */
  readonly leaving: AbortController;
  failed: FailedPasses;
  readonly ended: Promise<void>;
}

class NetworkShares {
  readonly #deps: ShareDeps;
  readonly #watchOne: WatchOne;
  readonly #stopping: AbortSignal;
  readonly #networks: ReadonlyMap<string, WatchContext>;
  /** The loops that run, in the order of their start. The last pass of one whose session was lost may still run. */
  readonly #watching = new Map<string, Watching>();
  #waiting: ReadonlySet<string> = new Set();
  /** Networks that this worker has declined, and not read since. */
  readonly #unread = new Set<string>();
  #memory: ShareMemory = NO_SHARE_MEMORY;

  constructor(deps: ShareDeps, watchOne: WatchOne, stopping: AbortSignal) {
    this.#deps = deps;
    this.#watchOne = watchOne;
    this.#stopping = stopping;
    this.#networks = new Map(deps.watches.map((watch) => [nameOf(watch), watch]));
  }

  async run(): Promise<void> {
    const { databaseUrl, watches, log } = this.#deps;
    while (!this.#stopping.aborted) {
      try {
        const session = await openWatchSession(databaseUrl, watches);
        await this.#share(session).finally(session.end);
      } catch (error) {
        log.error({ err: error }, "watch lock not available: database error");
        await SYSTEM_CLOCK.sleep(LOOK_EVERY_MS, this.#stopping);
      }
    }
    await this.#untilAllEnded();
  }

  /** Returns when the session is lost, or when everything has ended after a stop. Throws a database error. */
  async #share(session: WatchSession): Promise<void> {
    const ending = AbortSignal.any([session.lost, this.#stopping]);
    while (!ending.aborted) {
      const holdings = await session.look();
      await this.#follow(session, holdings);
      await SYSTEM_CLOCK.sleep(LOOK_EVERY_MS, ending);
    }
    if (session.lost.aborted) return;
    await session.retire();
    await this.#untilAllEnded();
  }

  async #follow(session: WatchSession, holdings: Holdings): Promise<void> {
    const now = performance.now();
    const watched = [...this.#watching].filter(
      ([, one]) => one.session === session && !one.leaving.signal.aborted,
    );
    const names = watched.map(([name]) => name);
    const failing = watched.flatMap(([name, { failed }]) =>
      isFailing({ ...failed, isUnread: this.#unread.has(name) }, now) ? [name] : [],
    );
    const decided = decideShare(holdings, { names, failing: new Set(failing) }, this.#memory, now);
    const { take, takeOver, decline, accept, leave } = decided;
    this.#memory = decided.memory;
    // Before it is free, so that this worker's look does not take it again.
    for (const name of decline) await session.decline(name);
    for (const name of decline) this.#unread.add(name);
    for (const name of accept) await session.accept(name);
    for (const name of leave) this.#watching.get(name)?.leaving.abort();
    let missing = take.most;
    for (const name of take.names) if (missing > 0 && (await this.#take(session, name))) missing -= 1;
    for (const name of takeOver) await this.#take(session, name);
    this.#logWaiting(holdings);
  }

  async #take(session: WatchSession, name: string): Promise<boolean> {
    if (this.#watching.has(name) || !(await session.take(name))) return false;
    this.#start(session, name);
    return true;
  }

  #start(session: WatchSession, name: string): void {
    const watch = this.#networks.get(name);
    if (watch === undefined) return;
    const leaving = new AbortController();
    const stopping = this.#stopping;
    const ending = AbortSignal.any([leaving.signal, session.lost, stopping]);
    watch.log.info("watching the network");
    const onPass = (isGood: boolean) => {
      const one = this.#watching.get(name);
      if (one?.leaving !== leaving) return;
      const { passes, since } = one.failed;
      const first = passes === 0 ? performance.now() : since;
      one.failed = isGood ? NONE_FAILED : { passes: passes + 1, since: first };
      if (isGood) this.#unread.delete(name);
    };
    const run = async () => {
      await this.#watchOne(watch, { ending, stopping, onPass }).catch((error: unknown) => {
        watch.log.fatal({ err: error }, "watcher ended");
      });
      if (leaving.signal.aborted) watch.log.info("leaving the network to another process");
      // A lost session holds no lock. If a release fails, the lock must end with the session: it keeps all others from the network.
      if (!session.lost.aborted) await session.release(name).catch(session.end);
      this.#watching.delete(name);
    };
    this.#watching.set(name, { session, leaving, failed: NONE_FAILED, ended: run() });
  }

  /** Logs once that another process holds a network. */
  #logWaiting({ own, holders }: Holdings): void {
    const others = [...holders].filter(([, holder]) => holder !== null && holder !== own);
    const names = others.map(([name]) => name);
    for (const name of names)
      if (!this.#waiting.has(name))
        this.#networks.get(name)?.log.info("waiting: another process watches the network");
    this.#waiting = new Set(names);
  }

  async #untilAllEnded(): Promise<void> {
    await Promise.all([...this.#watching.values()].map(({ ended }) => ended));
  }
}
