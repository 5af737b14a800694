import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Database } from "#lib/platform/db/connection.ts";
import type { BranchMonitor } from "./branch-monitor.ts";
import type { Connection } from "./connection.ts";
import type { Lane } from "./lane.ts";
import type { Process, Scheduler } from "./scheduler.ts";

const ALLOCATES = /^insert into "addresses"/;
const SET_TIME = "select set_config('model.now', $1, false)";

/** The connections of a process. */
export interface ProcessSetting {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly monitor: BranchMonitor;
  /** Milliseconds. */
  now(): number;
}

/** The database as one process sees it: every statement is a step. */
export function openProcessDatabase(setting: ProcessSetting, process: Process): Database {
  const pool = new SteppedPool(setting, process);
  process.atDeath.push(() => pool.reset());
  const db = drizzle(pool);
  return { db, pool, url: "", reads: db, replica: null, close: () => pool.reset() };
}

/** Drizzle begins a transaction on a connection of its own only when its client is a pool of the driver. */
class SteppedPool extends pg.Pool {
  readonly #lane: Lane;
  readonly #scheduler: Scheduler;
  readonly #monitor: BranchMonitor;
  readonly #now: () => number;
  readonly #process: Process;
  readonly #used = new Set<Connection>();

  constructor({ lane, scheduler, monitor, now }: ProcessSetting, process: Process) {
    super({ max: 1 });
    this.#lane = lane;
    this.#monitor = monitor;
    this.#now = now;
    this.#scheduler = scheduler;
    this.#process = process;
    const never = new Promise<never>(() => {});
    this.connect = (async () => (process.isDead ? never : this.#open())) as unknown as typeof this.connect;
    this.query = (async (config: string | pg.QueryConfig, values?: unknown[]) => {
      if (process.isDead) return never;
      const client = this.#open();
      try {
        return await client.query(config, values);
      } finally {
        await client.release();
      }
    }) as unknown as typeof this.query;
  }

  #open() {
    const lane = this.#lane;
    const connection = lane.take();
    this.#used.add(connection);
    return {
      query: (config: string | pg.QueryConfig, values?: unknown[]) => {
        if (connection.isBroken) {
          const message = "Client has encountered a connection error and is not queryable";
          return Promise.reject(new Error(message));
        }
        const text = typeof config === "string" ? config : config.text;
        const { label, mayFree, mayChange } = lane.statements.find(text);
        this.#monitor.onStatement(this.#process.name, text, values ?? []);
        return this.#scheduler.step(this.#process, {
          label,
          pid: () => (lane.isShared(connection) ? connection.pid : null),
          run: () => {
            if (mayChange) lane.hasChanged = true;
            if (ALLOCATES.test(text)) connection.sendAhead(SET_TIME, [new Date(this.#now()).toISOString()]);
            return connection.query(config, values);
          },
          mayFree: () => mayFree || !connection.inTransaction,
          lose: async () => {
            await connection.reset(lane.cancel);
            connection.isBroken = true;
            return new Error("Connection terminated unexpectedly");
          },
        });
      },
      release: () => {
        if (this.#process.isDead) return;
        connection.isBroken = false;
        if (connection.inTransaction) throw new Error("a connection was released within its transaction");
        this.#used.delete(connection);
        lane.giveBack(connection);
      },
    };
  }

  /** Gives all connections back, as if the process had ended. */
  async reset(): Promise<void> {
    for (const connection of this.#used) {
      await connection.reset(this.#lane.cancel);
      this.#lane.giveBack(connection);
    }
    this.#used.clear();
  }
}
