import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgTransaction } from "drizzle-orm/pg-core";
import pg from "pg";

/** The pool, or one transaction of it: what a store's functions take first. */
export type Db = NodePgDatabase;
/** An open transaction. A use case that changes state or money takes or opens exactly one. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * No transaction of ours waits for anything but the database. A process that stands still in the middle of one (frozen
 * with its machine, say) would otherwise keep what it locked from everybody else, for as long as it stands.
 */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** Opens a pool on `url`. Nothing is sent before the first query. */
export function openDatabase(
  url: string,
  options: { max?: number; applicationName?: string } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.applicationName ?? "paylink",
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // An idle client whose connection is cut reports here; the pool replaces it at the next query.
  pool.on("error", () => {});
  // One cut while checked out fails its query; without a listener its event would end the process as well.
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  return { db: drizzle(pool), pool, url, close: () => pool.end() };
}

/**
 * Makes something once per pool (and per transaction): a statement of the hot path, above all. Its SQL is then built
 * once, and with a name (`.prepare("…")`) PostgreSQL parses and plans it once per connection. What differs from call
 * to call comes in through `sql.placeholder`.
 */
export function oncePerDatabase<T>(make: (db: Db | Tx) => T): (db: Db | Tx) => T {
  const made = new WeakMap<Db | Tx, T>();
  return (db) => {
    const one = made.get(db) ?? make(db);
    made.set(db, one);
    return one;
  };
}

/** A transaction, not the pool. */
export function isTransaction(db: Db | Tx): db is Tx {
  return db instanceof PgTransaction;
}

/** Runs `work` in the transaction that `db` is, else in one of its own. */
export function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return isTransaction(db) ? work(db) : db.transaction(work);
}

/** True when `error` (Drizzle wraps the driver's) is PostgreSQL's error with this SQLSTATE. */
export function isDatabaseError(error: unknown, sqlState: string): boolean {
  return sqlStates(error).includes(sqlState);
}

/** True when a statement was refused because the role lacks a right (SQLSTATE insufficient_privilege). */
export function isPermissionDenied(error: unknown): boolean {
  return isDatabaseError(error, "42501");
}

/** True when a statement was refused for what a row says (SQLSTATE classes 22 and 23): it has written nothing. */
export function isRowRejected(error: unknown): boolean {
  return sqlStates(error).some((state) => /^2[23]/.test(state));
}

function sqlStates(error: unknown): string[] {
  const states: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") states.push(e.code);
  }
  return states;
}
