import { pino } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import type { WatchContext } from "#lib/domain/deposits/types.ts";
import { createPassMemory, type PassMemory } from "#lib/domain/deposits/watch/pass-rules.ts";
import { type MempoolWatch, watchMempool } from "#lib/domain/deposits/watch/watch-mempool.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import type { Rates } from "#lib/domain/rates/types.ts";
import type { DeliverDeps } from "#lib/domain/webhooks/deliver-webhook.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { LINK_SETTINGS } from "#tests/support/watched-network.ts";
import { openModelNetwork } from "./model-network.ts";
import { openProcessDatabase, type ProcessSetting } from "./process-database.ts";
import type { Random } from "./random.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { Process } from "./scheduler.ts";
import type { Side } from "./side.ts";

export const log = pino({ level: "silent" });
/** A loop waits for activity only. The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** The watcher of one network in one process. */
export interface Watcher {
  readonly side: Side;
  readonly watch: WatchContext;
  /** Its memory. */
  readonly memory: PassMemory;
  readonly mempool: MempoolWatch | null;
}

/** A running instance of the program and what its code needs. */
export interface Service {
  readonly process: Process;
  readonly db: Db;
  readonly networks: NetworkRegistry;
  readonly watchers: readonly Watcher[];
  readonly paymentLinks: PaymentLinkDeps;
  readonly delivery: DeliverDeps;
  now(): Date;
  /** Lets other work of this process come first for some steps. */
  pause(steps: number): Promise<void>;
  stop(): void;
}

export interface ServiceDeps extends ProcessSetting {
  readonly sides: readonly Side[];
  readonly receiver: Receiver;
  readonly rates: Rates;
  readonly random: Random;
}

/** A sealed text is the text itself. */
export const SECRETS = {
  seal: (text: string) => Buffer.from(text),
  open: (sealed: Uint8Array) => Buffer.from(sealed).toString(),
};

export function openService(deps: ServiceDeps, name: string): Service {
  const { scheduler, sides, receiver, rates, random } = deps;
  const process = new Process(name);
  const database = openProcessDatabase(deps, process);
  const { db } = database;
  const adapters = sides.map(({ nodes }) => openModelNetwork(nodes, process));
  const find = (network: string) => adapters.find((one) => one.network === network) ?? null;
  const networks: NetworkRegistry = {
    find: (env, network) => (env === "test" ? find(network) : null),
    list: (env) => (env === "test" ? adapters : []),
    all: () => adapters,
  };
  const now = () => new Date(deps.now());
  const paymentLinks: PaymentLinkDeps = { db, networks, rates, settings: LINK_SETTINGS };
  const stopping = new AbortController();
  process.atDeath.push(async () => stopping.abort());
  const watchers = sides.map((side) => {
    const adapter = find(side.network.adapter.network) as NetworkAdapter;
    const watch = createWatchContext({ database, paymentLinks, log, now }, adapter);
    const memory = createPassMemory();
    const mempool = watchMempool(watch, {
      lastRead: memory.lastRead,
      pace: { everyMs: () => NEVER_MS },
      onNews: () => {},
      stopping: stopping.signal,
    });
    return { side, watch, memory, mempool };
  });
  const delivery: DeliverDeps = {
    db,
    secrets: SECRETS,
    log,
    agent: openReceiver(receiver, scheduler, process),
    now,
    timeoutMs: 15_000,
    signal: stopping.signal,
    random: () => random.next(),
  };
  return {
    process,
    db,
    networks,
    watchers,
    paymentLinks,
    delivery,
    now,
    async pause(steps) {
      const step = {
        label: "pause",
        pid: () => null,
        run: async () => {},
        lose: async () => new NodeError("unreachable", "the answer was lost"),
      };
      for (let i = 0; i < steps; i++) await scheduler.step(process, step);
    },
    stop: () => stopping.abort(),
  };
}
