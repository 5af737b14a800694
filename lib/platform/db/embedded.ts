import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { isDatabaseError, isUniqueViolation } from "./connection.ts";
import {
  type Cluster,
  FOLDER_SETTING,
  findPostmaster,
  isPostmaster,
  openCluster,
  type Postmaster,
  startPostmaster,
} from "./embedded-cluster.ts";
import { EmbeddedPostgresError } from "./embedded-error.ts";

export { EmbeddedPostgresError } from "./embedded-error.ts";

export interface EmbeddedOptions {
  /** The port to start on. Default: a free port. Ignored if the cluster runs already. */
  readonly port?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /**
   * For commands next to a server: join a running cluster, or start it for the time of the command. Without it the
   * caller is the one program of this folder, and a second program is refused.
   */
  readonly attach?: boolean;
  /** False switches fsync off. For tests only: a power failure loses data. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** True if this call started the server, false if it joined a running one. */
  readonly started: boolean;
  /** Stops the server if this process is responsible for it (see mustStopServer). Can be called twice. */
  stop(): Promise<void>;
}

/** pg.Client has both methods, but its types do not. */
type Session = pg.Client & { ref(): void; unref(): void };

/** SQLSTATE of a database that exists already. */
const DUPLICATE_DATABASE = "42P04";
const DATABASE = "paylink";
/** Held exclusively by the one program of a folder. It ends with the connection, so kill -9 frees it. */
const PROGRAM_LOCK = 0x70_6c_01;
/** Held shared by every process that joined, so that a command does not stop the server while another uses it. */
const USER_LOCK = 0x70_6c_02;
const START_TIMEOUT_MS = 60_000;
/** How long PostgreSQL can take to free the lock of a killed program. */
const LOCK_TIMEOUT_MS = 3_000;
/** cluster_name of a server that a command started. The last command to leave stops it. */
const STARTED_BY_COMMAND = "paylink-command";

/**
 * Starts the PostgreSQL cluster under `${dataDir}/postgres`, and creates it on first use. Joins the cluster if it runs
 * already, also if its program was killed. It listens only on 127.0.0.1 with a random password, which is stored in the
 * cluster's folder. Under root it runs as the user `postgres`, also below a folder that this user cannot enter. Throws
 * EmbeddedPostgresError.
 */
export async function startEmbedded(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(resolve(dataDir), options);
  const deadline = Date.now() + START_TIMEOUT_MS;
  let started = false;
  while (Date.now() < deadline) {
    const running = await findPostmaster(cluster);
    if (running === null) {
      const name = options.attach ? STARTED_BY_COMMAND : DATABASE;
      started = (await startPostmaster(cluster, name, options)) || started;
    } else {
      const session = await connect(cluster, running);
      // The server does not answer: it is starting or stopping.
      if (session === null) await pause(50);
      else return await enter(cluster, running, session, { ...options, started });
    }
  }
  throw new EmbeddedPostgresError("failed", `PostgreSQL did not become ready. Its log: ${cluster.log}`);
}

async function buildUrl(cluster: Cluster, running: Postmaster, database: string): Promise<string> {
  const password = await readFile(join(cluster.folder, "password"), "utf8");
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${running.port}/${database}`;
}

/** Opens a session on this cluster. Null if it does not accept sessions now. */
async function connect(cluster: Cluster, running: Postmaster): Promise<Session | null> {
  if (running.port === 0) return null;
  const client = new pg.Client({
    connectionString: await buildUrl(cluster, running, "postgres"),
    application_name: `paylink (process ${process.pid})`,
    connectionTimeoutMillis: 5_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const shown = await client.query<{ folder: string }>(
      "select coalesce(current_setting($1, true), current_setting('data_directory')) as folder",
      [FOLDER_SETTING],
    );
    if (shown.rows[0]?.folder === cluster.data) return client as Session;
  } catch {
    // The server is starting or stopping, or another server uses the port.
  }
  await client.end().catch(() => {});
  return null;
}

async function enter(
  cluster: Cluster,
  running: Postmaster,
  session: Session,
  { started, ...options }: EmbeddedOptions & { readonly started: boolean },
): Promise<EmbeddedPostgres> {
  try {
    if (!options.attach) await takeProgramLock(cluster, session);
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
  try {
    await session.query("select pg_advisory_lock_shared($1)", [USER_LOCK]);
    await createDatabase(session);
  } catch (error) {
    await leave(cluster, running, session, options);
    throw error;
  }
  // The session that holds the locks must not keep the process alive.
  session.unref();
  let stopping: Promise<void> | null = null;
  return {
    url: await buildUrl(cluster, running, DATABASE),
    started,
    stop: () => {
      stopping ??= leave(cluster, running, session, options);
      return stopping;
    },
  };
}

/** Takes the program lock. Throws EmbeddedPostgresError "in_use" if another live program of this folder holds it. */
async function takeProgramLock(cluster: Cluster, session: Session): Promise<void> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!(await tryLock(session, PROGRAM_LOCK))) {
    if (Date.now() > deadline) {
      const holder = await session.query<{ application_name: string }>(
        `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
         where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
        [PROGRAM_LOCK],
      );
      const user = holder.rows[0]?.application_name ?? "another process";
      throw new EmbeddedPostgresError(
        "in_use",
        `${cluster.folder} is in use by ${user}. Stop it, choose another DATA_DIR, or set DATABASE_URL to use that server`,
      );
    }
    await pause(50);
  }
}

async function tryLock(session: Session, key: number): Promise<boolean> {
  const result = await session.query<{ ok: boolean }>("select pg_try_advisory_lock($1) as ok", [key]);
  return result.rows[0]?.ok === true;
}

async function createDatabase(session: Session): Promise<void> {
  const found = await session.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (found.rowCount !== 0) return;
  await session.query(`create database ${DATABASE}`).catch((error: unknown) => {
    // Another process that starts at the same time created it first.
    if (!isDatabaseError(error, DUPLICATE_DATABASE) && !isUniqueViolation(error)) throw error;
  });
}

/** A program always stops its server. A command stops a server that a command started and that no process uses. */
async function mustStopServer(session: Session, options: EmbeddedOptions): Promise<boolean> {
  if (!options.attach) return true;
  const name = await session.query<{ cluster_name: string }>("show cluster_name");
  if (name.rows[0]?.cluster_name !== STARTED_BY_COMMAND) return false;
  await session.query("select pg_advisory_unlock_shared($1)", [USER_LOCK]);
  return (await tryLock(session, USER_LOCK)) && (await tryLock(session, PROGRAM_LOCK));
}

async function leave(
  cluster: Cluster,
  running: Postmaster,
  session: Session,
  options: EmbeddedOptions,
): Promise<void> {
  session.ref();
  // A broken session means that the server has stopped already.
  const mustStop = await mustStopServer(session, options).catch(() => false);
  if (mustStop && (await findPostmaster(cluster))?.pid === running.pid) {
    options.log?.("stopping PostgreSQL");
    // SIGINT is the "fast" shutdown: PostgreSQL ends sessions and writes all data, so the next start needs no recovery.
    try {
      process.kill(running.pid, "SIGINT");
    } catch (error) {
      // It has ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    while (await isPostmaster(cluster, running.pid)) await pause(20);
  }
  await session.end().catch(() => {});
}
