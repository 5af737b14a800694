import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { PgTransaction } from "drizzle-orm/pg-core";
import pg from "pg";
import { listCauses } from "#lib/platform/error-causes.ts";
import { PostgresClient } from "./availability.ts";

/** The pool. Functions that can also run in a transaction take `Db | Tx`. */
export type Db = NodePgDatabase;
/** An open transaction. A use case that changes state or money takes or opens exactly one. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** For connections that last, with LISTEN or a lock. PgBouncer in transaction mode loses both, so it is not its address. */
  readonly url: string;
  /**
   * For lists, exports and statistics: the replica while it has what the primary has committed, else the primary. Nothing is decided by it,
   * and nothing written. Without DATABASE_READ_URL it is `db`.
   */
  readonly reads: Db;
  readonly replica: Replica | null;
  close(): Promise<void>;
}

export interface Replica {
  /** Why the replica is left out now. null: it is used. */
  findLeftOut(): string | null;
}

/**
 * Our transactions wait only for the database. PostgreSQL ends a session that stays idle in a transaction longer than
 * this. Otherwise a frozen process would keep its locks for as long as it is frozen.
 */
const IDLE_IN_TRANSACTION_MS = 30_000;

/** How long a query waits for a connection. A database whose machine is away does not refuse one. */
const CONNECT_MS = 10_000;

export interface DatabaseOptions {
  readonly max?: number;
  readonly applicationName?: string;
  /** The address of PgBouncer, which the pool then uses instead. */
  readonly pooledUrl?: string | null;
}

/** Opens a pool on `url`. It connects at the first query. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { pooledUrl = null } = options;
  const settings: pg.PoolConfig & ConstructorParameters<typeof PostgresClient>[0] = {
    Client: PostgresClient,
    // PgBouncer may repeat what its first server was. Its own query at each new connection ends one to a standby (docs/operate/database.md).
    acceptsStandby: pooledUrl !== null,
    connectionString: pooledUrl ?? url,
    connectionTimeoutMillis: CONNECT_MS,
    max: options.max ?? 10,
    application_name: options.applicationName ?? "paylink",
    // PgBouncer refuses a connection that sets it. Its connections to PostgreSQL have it from its own configuration.
    ...(pooledUrl === null && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
  };
  const pool = new pg.Pool(settings);
  // A lost idle connection is reported here. The pool replaces it at the next query.
  pool.on("error", () => {});
  const db = openPool(pool);
  return { db, pool, url, reads: db, replica: null, close: () => pool.end() };
}

/**
 * Drizzle never gives back the connection of a transaction whose `begin` fails. At each failover the pool would lose a place for
 * each request of that time, until it has none. So a transaction gets its connection here.
 */
function openPool(pool: pg.Pool): Db {
  const db = drizzle(pool);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
    } finally {
      // A connection that is still in a transaction is of no use to others.
      client.release(client.getTransactionStatus() !== "I");
    }
  };
  return db;
}

/**
 * Creates something once per pool or transaction, usually a frequent statement. Its SQL text is then built once. With a
 * name (`.prepare("…")`) PostgreSQL parses and plans it once per connection. Values come in through `sql.placeholder`.
 */
export function oncePerDatabase<T>(make: (db: Db | Tx) => T): (db: Db | Tx) => T {
  const instances = new WeakMap<Db | Tx, T>();
  return (db) => {
    const instance = instances.get(db) ?? make(db);
    instances.set(db, instance);
    return instance;
  };
}

/** True for a transaction, false for the pool. */
export function isTransaction(db: Db | Tx): db is Tx {
  return db instanceof PgTransaction;
}

/** Runs `work` in `db` if it is a transaction, else in a new transaction. */
export function joinTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return isTransaction(db) ? work(db) : db.transaction(work);
}

/** True if `error` is a PostgreSQL error with this SQLSTATE. Drizzle wraps the errors of the driver. */
export function isDatabaseError(error: unknown, sqlState: string): boolean {
  return sqlStates(error).includes(sqlState);
}

/** True if a statement violated a unique constraint (SQLSTATE unique_violation): any, or the one of this name. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!isDatabaseError(error, "23505")) return false;
  return (
    constraint === undefined ||
    listCauses(error).some((e) => "constraint" in e && e.constraint === constraint)
  );
}

/** True if a statement waited for a lock longer than its transaction allows (SQLSTATE lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  return isDatabaseError(error, "55P03");
}

/** True if the role lacks a privilege for a statement (SQLSTATE insufficient_privilege). */
export function isPermissionDenied(error: unknown): boolean {
  return isDatabaseError(error, "42501");
}

/** True if PostgreSQL rejected the values of a row (SQLSTATE classes 22 and 23). The statement wrote nothing. */
export function isRowRejected(error: unknown): boolean {
  return sqlStates(error).some((state) => /^2[23]/.test(state));
}

function sqlStates(error: unknown): string[] {
  return listCauses(error).flatMap((e) => ("code" in e && typeof e.code === "string" ? [e.code] : []));
}
