import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { type Clock, clockOf } from "#lib/platform/clock.ts";
import { listCauses } from "#lib/platform/error-causes.ts";
import { getSafeMessage } from "#lib/platform/log/serialize-error.ts";
import { AddressError } from "./addresses.ts";
import { findOutage, PostgresClient } from "./availability.ts";
import { coalescePerTurn } from "./batching.ts";
import { type Database, type Db, isDatabaseError } from "./connection.ts";

/** How long a read waits for a connection of the replica, and for the answer whether it is fresh. */
const ANSWER_MS = 1_000;
/** The time that a statement may run on the replica before the primary runs it instead. */
const STATEMENT_MS = 5_000;
/** How long a read waits for the replica to replay what the primary has committed: so many steps. */
const REPLAY_STEPS = 10;
const REPLAY_STEP_MS = 5;
/** How long a replica that failed is left out before it is tried again. */
const LEFT_OUT_MS = 5_000;

/** Why a replica is left out. */
export const REPLICA_PROBLEMS = {
  other: "it is of another database",
  primary: "it is not a standby",
  behind: "it does not follow the primary since a failover",
  lags: "it lags behind the primary",
  silent: "it does not answer",
} as const;
export type ReplicaProblem = keyof typeof REPLICA_PROBLEMS;

class ReplicaError extends Error {
  readonly problem: ReplicaProblem;

  constructor(problem: ReplicaProblem, options?: ErrorOptions) {
    super(`The replica is left out: ${REPLICA_PROBLEMS[problem]}.`, options);
    this.problem = problem;
  }
}

/** One read is the primary's, and that says nothing against the replica. */
class PassedError extends Error {}

/** The primary's position in the log of one database: everything before it is committed. A failover begins another timeline. */
interface Mark {
  readonly identity: string;
  readonly timeline: number;
  readonly lsn: string;
}

/** A server that is asked for a mark. */
interface Seen {
  readonly identity: string;
  readonly isStandby: boolean;
  readonly timeline: number;
  readonly hasReplayed: boolean;
}

const IDENTITY = `(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database()) as identity`;

// A commit is answered after its record is flushed. The name of the log's file begins with the timeline.
const MARK = `select pg_current_wal_flush_lsn()::text as lsn, ${IDENTITY},
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline`;

const SEEN = `select ${IDENTITY}, pg_is_in_recovery() as "isStandby",
  coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "hasReplayed",
  greatest((pg_control_checkpoint()).timeline_id, (pg_control_recovery()).min_recovery_end_timeline) as timeline`;

/** The first problem of a server that should have what the mark says. null: it has. */
export function findProblem(seen: Seen, mark: Pick<Mark, "identity" | "timeline">): ReplicaProblem | null {
  if (seen.identity !== mark.identity) return "other";
  if (!seen.isStandby) return "primary";
  if (seen.timeline !== mark.timeline) return "behind";
  return seen.hasReplayed ? null : "lags";
}

async function getMark(primary: pg.Pool): Promise<Mark> {
  const { rows } = await primary.query<Mark>(MARK);
  return rows[0] as Mark;
}

/** The size of a page of the log. */
const PAGE = 8_192;

/**
 * Between commits the primary flushes whole pages, and a record goes across their end. A standby replays it when the rest of it is flushed,
 * which may take seconds: nobody can tell before that whether it has all the rest.
 */
const isEndOfPage = (lsn: string) => Number.parseInt(lsn.split("/")[1] ?? "", 16) % PAGE === 0;

/**
 * Waits for a short time until the server has replayed the log up to the mark. Throws ReplicaError if it is of no use, and PassedError if
 * that is not known.
 */
async function requireMark(
  client: pg.ClientBase,
  mark: Mark,
  { sleep }: Pick<Clock, "sleep">,
): Promise<void> {
  for (let step = 0; ; step++) {
    const query = { text: SEEN, values: [mark.lsn], query_timeout: ANSWER_MS };
    const { rows } = await client.query<Seen & pg.QueryResultRow>(query);
    const problem = findProblem(rows[0] as Seen, mark);
    if (problem === null) return;
    if (problem === "lags" && isEndOfPage(mark.lsn))
      throw new PassedError("The mark may be within a record.");
    if (problem !== "lags" || step === REPLAY_STEPS) throw new ReplicaError(problem);
    await sleep(REPLAY_STEP_MS);
  }
}

/** Why reads would leave out the replica at `url` now. null: they would use it. */
export async function findReplicaProblem(primary: Database, url: string): Promise<ReplicaProblem | null> {
  const mark = await getMark(primary.pool);
  const client = new PostgresClient(replicaSettings(url));
  try {
    await client.connect();
    await requireMark(client, mark, clockOf({}));
    return null;
  } catch (error) {
    return error instanceof PassedError ? null : (problemOf(error) ?? "silent");
  } finally {
    await client.end().catch(() => {});
  }
}

const describeCauses = (error: unknown) =>
  listCauses(error).map((cause) => getSafeMessage({ ...cause, message: cause.message }));

function problemOf(error: unknown): ReplicaProblem | null {
  const refused = listCauses(error).find((cause) => cause instanceof ReplicaError);
  if (refused !== undefined) return refused.problem;
  const isLate = listCauses(error).some(({ message }) => message === "Query read timeout");
  return isLate || findOutage(error) !== null ? "silent" : null;
}

interface ReplicaOptions extends Partial<Clock> {
  readonly max: number;
  readonly log: Logger;
}

/**
 * Gives the database a replica for `reads`. Each statement asks the primary how far its log is, and runs on the replica as soon as that has
 * replayed so much: it sees every write that was answered before it, of any process. Otherwise the primary runs it. A replica that fails or
 * lags is left out for a while; then one attempt, which no read waits for, tries it again. Throws AddressError if it is of another database.
 */
export async function openReplica(
  primary: Database,
  url: string,
  { max, log, ...given }: ReplicaOptions,
): Promise<Database> {
  const problem = await findReplicaProblem(primary, url);
  if (problem === "other") throw new AddressError(NOT_A_COPY);
  const pool = openReplicaPool(url, max);
  const { route, leaveOut, findLeftOut, settled } = createRoute(primary.pool, pool, log, clockOf(given));
  if (problem !== null) leaveOut(problem);
  return {
    ...primary,
    reads: openReads(primary, route),
    replica: { findLeftOut },
    async close() {
      await settled();
      await pool.end();
      await primary.close();
    },
  };
}

/** Decides for each statement where it runs, and remembers whether the replica is left out. */
function createRoute(primary: pg.Pool, pool: pg.Pool, log: Logger, { now, sleep }: Clock) {
  const askPrimary = coalescePerTurn(() => getMark(primary));
  const onReplica = createReplicaRunner(pool, sleep);
  let leftOut: { readonly problem: ReplicaProblem; readonly until: number } | null = null;
  let trying: Promise<void> | null = null;

  function leaveOut(problem: ReplicaProblem, error?: unknown): void {
    if (leftOut?.problem !== problem)
      // Not as `err`: the log says of such an error that the database itself is unavailable.
      log.warn({ reason: REPLICA_PROBLEMS[problem], causes: describeCauses(error) }, "replica left out");
    leftOut = { problem, until: now().getTime() + LEFT_OUT_MS };
  }

  async function tryAgain(): Promise<void> {
    try {
      await onReplica(await askPrimary(""), async () => {});
      leftOut = null;
      log.info("replica is used again");
    } catch (error) {
      leaveOut(problemOf(error) ?? leftOut?.problem ?? "silent", error);
    }
  }

  function findLeftOut(): string | null {
    if (leftOut === null) return null;
    if (now().getTime() >= leftOut.until)
      trying ??= tryAgain().finally(() => {
        trying = null;
      });
    return REPLICA_PROBLEMS[leftOut.problem];
  }

  const route: Route = async (read, onPrimary) => {
    // The primary's own error is the answer.
    const mark = findLeftOut() === null ? await askPrimary("").catch(() => null) : null;
    if (mark === null || findLeftOut() !== null) return onPrimary();
    try {
      return await onReplica(mark, read);
    } catch (error) {
      // A statement that writes is a defect of the caller.
      if (isDatabaseError(error, "25006")) throw error;
      const problem = problemOf(error);
      if (problem !== null) leaveOut(problem, error);
      return onPrimary();
    }
  };
  return { route, leaveOut, findLeftOut, settled: async () => void (await trying) };
}

/** Runs work with a connection whose server has the mark. A balancer may give each connection another server. */
function createReplicaRunner(pool: pg.Pool, sleep: Clock["sleep"]) {
  /** Each connection with the last mark that its server had. */
  const reached = new WeakMap<pg.PoolClient, Mark>();
  return async <T>(mark: Mark, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((cause: Error) => {
      // The pool's own text: all its connections run statements. That says nothing about the server.
      if (cause.message === "timeout exceeded when trying to connect")
        throw new PassedError("All connections to the replica are in use.");
      throw new ReplicaError("silent", { cause });
    });
    let isDone = false;
    try {
      if (!isEqual(reached.get(client), mark)) await requireMark(client, mark, { sleep });
      reached.set(client, mark);
      const result = await work(client);
      isDone = true;
      return result;
    } catch (error) {
      isDone = error instanceof PassedError;
      throw error;
    } finally {
      client.release(!isDone || client.getTransactionStatus() !== "I");
    }
  };
}

const NOT_A_COPY =
  "DATABASE_READ_URL must be the address of a replica of DATABASE_URL's database, and it is of another database: correct it " +
  "(docs/operate/database.md).";

const isEqual = (a: Mark | undefined, b: Mark) =>
  a?.lsn === b.lsn && a.timeline === b.timeline && a.identity === b.identity;

/** The standby itself ends a statement that is given up. A server that hangs ends nothing, so the driver gives up a little later. */
const replicaSettings = (url: string) => ({
  acceptsStandby: true,
  connectionString: url,
  connectionTimeoutMillis: ANSWER_MS,
  statement_timeout: STATEMENT_MS,
  query_timeout: STATEMENT_MS + ANSWER_MS,
  application_name: "paylink replica",
});

function openReplicaPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ Client: PostgresClient, ...replicaSettings(url), max });
  // A lost idle connection is reported here. The pool replaces it at the next query.
  pool.on("error", () => {});
  return pool;
}

type Route = <T>(read: (client: pg.PoolClient) => Promise<T>, onPrimary: () => Promise<T>) => Promise<T>;

/** A handle whose statements and transactions run where `route` says. Its transactions only read. */
function openReads(primary: Database, route: Route): Db {
  const statements = {
    query: (query: pg.QueryConfig, values?: unknown[]) =>
      route(
        (client) => client.query(query, values),
        () => primary.pool.query(query, values),
      ),
  };
  const reads: NodePgDatabase = drizzle(statements as unknown as pg.Pool);
  reads.transaction = (work, config) => {
    const readOnly = { ...config, accessMode: "read only" } as const;
    return route(
      (client) => drizzle(client).transaction(work, readOnly),
      () => primary.db.transaction(work, readOnly),
    );
  };
  return reads;
}
