import { pino } from "pino";
import { type NetworkAdapter, type NetworkRegistry, NodeError } from "#lib/chains/network.ts";
import type { WatchContext } from "#lib/domain/deposits/types.ts";
import { createPassMemory, type PassMemory } from "#lib/domain/deposits/watch/run-pass.ts";
import { type MempoolWatch, watchMempool } from "#lib/domain/deposits/watch/watch-mempool.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import type { DeliverDeps } from "#lib/domain/webhooks/deliver-webhook.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { LINK_SETTINGS } from "#tests/support/watched-network.ts";
import type { Lane } from "./lane.ts";
import { type ModelNodes, openModelNetwork } from "./model-network.ts";
import { openProcessDatabase } from "./process-database.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { Process, type Scheduler } from "./scheduler.ts";

export const log = pino({ level: "silent" });
export const FIXED_RATES = "usdt/usd=1,btc/usd=50000";
const rates = openRates({ fixed: FIXED_RATES, log });
/** A loop waits for activity only. The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** A running instance of the program and what its code needs. */
export interface Service {
  readonly process: Process;
  readonly db: Db;
  readonly adapter: NetworkAdapter;
  readonly networks: NetworkRegistry;
  readonly watch: WatchContext;
  /** What its watcher remembers. */
  readonly memory: PassMemory;
  readonly mempool: MempoolWatch | null;
  readonly paymentLinks: PaymentLinkDeps;
  readonly delivery: DeliverDeps;
  now(): Date;
  /** Lets other work of this process come first for some steps. */
  pause(steps: number): Promise<void>;
  stop(): void;
}

export interface ServiceDeps {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly nodes: ModelNodes;
  readonly receiver: Receiver;
}

export function openService({ lane, scheduler, nodes, receiver }: ServiceDeps, name: string): Service {
  const process = new Process(name);
  const database = openProcessDatabase(lane, scheduler, process);
  const { db } = database;
  const adapter = openModelNetwork(nodes, process);
  const networks: NetworkRegistry = {
    find: (env, network) => (env === adapter.env && network === adapter.network ? adapter : null),
    list: (env) => (env === adapter.env ? [adapter] : []),
    all: () => [adapter],
  };
  const now = () => new Date(nodes.now());
  const paymentLinks: PaymentLinkDeps = { db, networks, rates, settings: LINK_SETTINGS };
  const watch = createWatchContext({ database, paymentLinks, log, now }, adapter);
  const stopping = new AbortController();
  const mempool = watchMempool(watch, { everyMs: () => NEVER_MS }, () => {}, stopping.signal);
  process.atDeath.push(async () => stopping.abort());
  const delivery: DeliverDeps = {
    db,
    secrets: { open: (sealed) => sealed.toString() },
    log,
    agent: openReceiver(receiver, scheduler, process),
    now,
    timeoutMs: 15_000,
    signal: stopping.signal,
    random: () => nodes.random.next(),
  };
  return {
    process,
    db,
    adapter,
    networks,
    watch,
    memory: createPassMemory(),
    mempool,
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
