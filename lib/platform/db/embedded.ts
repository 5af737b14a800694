import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
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
  /** Port to start on; a free one is chosen when absent. Ignored when the cluster already runs. */
  readonly port?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /**
   * For commands beside a server: join whatever runs, or start the cluster for the time of the command.
   * Without it the caller is *the* program of this folder, and a second one is refused.
   */
  readonly attach?: boolean;
  /** false switches fsync off: tests only, it loses data with the power. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** True when this call started the server, false when it joined a running one. */
  readonly started: boolean;
  /** Stops the server if it is this process's to stop (see `isOursToStop`). May be called twice. */
  stop(): Promise<void>;
}

/** pg's client has both; its types leave them out. */
type Session = pg.Client & { ref(): void; unref(): void };

const DATABASE = "paylink";
/** Held exclusively by the one program of a folder; it ends with the connection, so kill -9 frees it. */
const PROGRAM_LOCK = 0x70_6c_01;
/** Held shared by everybody who joined, so that a command never stops the server under another one. */
const USER_LOCK = 0x70_6c_02;
const START_TIMEOUT_MS = 60_000;
/** How long the lock of a program killed a moment ago may take to vanish. */
const LOCK_PATIENCE_MS = 3_000;
/** cluster_name of a server that a command started: the last command to leave stops it. */
const STARTED_BY_COMMAND = "paylink-command";

/**
 * Starts the PostgreSQL cluster under `${dataDir}/postgres` (made on first use), or joins it when it already
 * runs, orphans of a killed process included. Listens on 127.0.0.1 only, behind a random password kept in the
 * cluster's folder. As root it runs as the user `postgres`, also below a folder which that user cannot enter.
 * Throws EmbeddedError.
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
      // Not answering: still starting, or on its way down.
      if (session === null) await pause(50);
      else return await enter(cluster, running, session, started, options);
    }
  }
  throw new EmbeddedPostgresError("failed", `PostgreSQL did not get ready. Its log: ${cluster.log}`);
}

async function urlOf(cluster: Cluster, running: Postmaster, database: string): Promise<string> {
  const password = await readFile(join(cluster.folder, "password"), "utf8");
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${running.port}/${database}`;
}

/** A session on this very cluster, or null while it does not take any. */
async function connect(cluster: Cluster, running: Postmaster): Promise<Session | null> {
  if (running.port === 0) return null;
  const client = new pg.Client({
    connectionString: await urlOf(cluster, running, "postgres"),
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
    // Starting up, shutting down, or somebody else's server on a port that was ours.
  }
  await client.end().catch(() => {});
  return null;
}

async function enter(
  cluster: Cluster,
  running: Postmaster,
  session: Session,
  started: boolean,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  try {
    if (!options.attach) await becomeProgram(cluster, session);
    await session.query("select pg_advisory_lock_shared($1)", [USER_LOCK]);
    await createDatabase(session);
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  }
  // Holding the locks is no reason for a process to stay alive.
  session.unref();
  let stopping: Promise<void> | null = null;
  return {
    url: await urlOf(cluster, running, DATABASE),
    started,
    stop: () => {
      stopping ??= leave(cluster, running, session, options);
      return stopping;
    },
  };
}

/** Throws EmbeddedError "in_use" when another live program is the program of this folder. */
async function becomeProgram(cluster: Cluster, session: Session): Promise<void> {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  while (!(await tryLock(session, PROGRAM_LOCK))) {
    if (Date.now() > deadline) {
      const holder = await session.query<{ application_name: string }>(
        `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
         where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
        [PROGRAM_LOCK],
      );
      const who = holder.rows[0]?.application_name ?? "another process";
      throw new EmbeddedPostgresError(
        "in_use",
        `${cluster.folder} is in use by ${who}: stop it, choose another DATA_DIR, or join it through DATABASE_URL`,
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
    // 42P04, 23505: a process that started beside us made it first.
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "42P04" && code !== "23505") throw error;
  });
}

/** The program always stops its server; a command only one that commands started and nobody else uses. */
async function isOursToStop(session: Session, options: EmbeddedOptions): Promise<boolean> {
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
  // A session that broke means that the server is gone already.
  const ours = await isOursToStop(session, options).catch(() => false);
  if (ours && (await findPostmaster(cluster))?.pid === running.pid) {
    options.log?.("stopping PostgreSQL");
    // SIGINT is PostgreSQL's "fast" shutdown: sessions are ended, everything is written, no recovery next time.
    process.kill(running.pid, "SIGINT");
    while (await isPostmaster(cluster, running.pid)) await pause(20);
  }
  await session.end().catch(() => {});
}
