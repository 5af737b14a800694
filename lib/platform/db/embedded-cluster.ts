import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { findPrograms, type PostgresPrograms, reachablePrograms } from "./embedded-programs.ts";
import { findInaccessibleFolder, type RunAs, unprivilegedUser, unreachableError } from "./embedded-user.ts";

export interface ClusterOptions {
  readonly port?: number | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly durable?: boolean | undefined;
}

/** A cluster on disk. `folder` has the data, the password and the log. */
export interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  readonly programs: PostgresPrograms;
  readonly runAs: RunAs;
  /** The server's user cannot enter a parent folder: see CURRENT_FOLDER. */
  readonly closed: boolean;
}

/**
 * A user who cannot enter a folder can still work below it, from a current folder that another user entered.
 * So below such a folder root enters the data folder and then becomes the server's user. PostgreSQL works
 * only in its current folder, and gets this path: in every process it means the current folder, without a
 * path to it.
 */
const CURRENT_FOLDER = "/proc/self/cwd";

/** A setting of a server on CURRENT_FOLDER: the folder's path, which identifies the server. */
export const FOLDER_SETTING = "paylink.folder";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/**
 * Opens the cluster under `${dataDir}/postgres`, and creates it on first use. Throws EmbeddedPostgresError.
 */
export async function openCluster(dataDir: string, options: ClusterOptions): Promise<Cluster> {
  const runAs = await unprivilegedUser();
  const programs = await reachablePrograms(await findPrograms(), runAs, options.log);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // One spelling of the path for all processes, because the folder in the command line identifies a running
  // server.
  const base = await realpath(dataDir);
  const closed = await findInaccessibleFolder(base, runAs);
  if (closed !== null && !(await exists(CURRENT_FOLDER))) throw unreachableError(base, closed);
  const folder = join(base, "postgres");
  const cluster = {
    folder,
    data: join(folder, "data"),
    log: join(folder, "server.log"),
    programs,
    runAs,
    closed: closed !== null,
  };
  if (!(await exists(folder))) await createCluster(base, cluster, options);
  return cluster;
}

/**
 * Creates the cluster in a temporary folder and renames it. So an incomplete cluster is never used, and of
 * two concurrent starts one wins.
 */
async function createCluster(dataDir: string, cluster: Cluster, options: ClusterOptions): Promise<void> {
  options.log?.("creating the database cluster");
  const draft = join(dataDir, `postgres.new-${randomBytes(6).toString("hex")}`);
  const data = join(draft, "data");
  const password = join(draft, "password");
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
    for (const path of [draft, data, password]) await changeOwner(path, cluster.runAs);
    await run(cluster, cluster.programs.initdb, data, [
      `--pgdata=${cluster.closed ? CURRENT_FOLDER : data}`,
      "--pwfile=../password",
      "--username=postgres",
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(options.durable === false ? ["--no-sync"] : []),
    ]);
    await rename(draft, cluster.folder);
  } catch (error) {
    if (await exists(cluster.folder)) return;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function changeOwner(path: string, runAs: RunAs): Promise<void> {
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(path, runAs.uid, runAs.gid);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Environment variables of PostgreSQL's programs: none of our secrets, no PG* variables. */
const CHILD_ENV = { NODE_ENV: "production", PATH: process.env.PATH ?? "", LC_ALL: "C" } as const;

async function run(cluster: Cluster, program: string, cwd: string, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    ...cluster.runAs,
    cwd,
    env: CHILD_ENV,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  if (code !== 0) throw new EmbeddedPostgresError("failed", `${program} failed: ${errors.trim()}`);
}

/** The live postmaster of this folder, from its postmaster.pid. Null if there is none. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const [pidText = "", ...rest] = (await readPidFile(cluster)).split("\n");
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isInteger(pid) || !(await isPostmaster(cluster, pid))) return null;
  const port = Number.parseInt(rest[2] ?? "", 10);
  return { pid, port: Number.isInteger(port) ? port : 0 };
}

const pidFile = (cluster: Cluster) => join(cluster.data, "postmaster.pid");

/** Empty if there is no file. */
const readPidFile = (cluster: Cluster) => readFile(pidFile(cluster), "utf8").catch(() => "");

/**
 * Fixes the pid file of a killed postmaster. If another process now has its pid, or a dead process that was
 * not collected, PostgreSQL refuses to start. With our own pid in the file, PostgreSQL checks the shared
 * memory that sessions of the killed server may still use. Only before a start: the file of a new postmaster
 * must not change.
 */
async function disownPidFile(cluster: Cluster): Promise<void> {
  const text = await readPidFile(cluster);
  const [pidText = "", ...rest] = text.split("\n");
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isInteger(pid) || !isAlive(pid) || (await isPostmaster(cluster, pid))) return;
  // Another process may have started a server in the meantime.
  if ((await readPidFile(cluster)) === text)
    await writeFile(pidFile(cluster), [process.pid, ...rest].join("\n"));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * True if process `pid` is alive and is this folder's server. Pids are reused, and dead processes can
 * remain.
 */
export async function isPostmaster(cluster: Cluster, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  // Empty for a dead process that was not collected.
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const parts = command.split("\0");
  return parts.includes(cluster.data) || parts.includes(`${FOLDER_SETTING}=${cluster.data}`);
}

/**
 * Starts a postmaster with the cluster name `name`. Returns true when our postmaster is alive, but possibly
 * not ready. Returns false if another start was first. The postmaster gets its own session, so that a Ctrl-C
 * for us does not reach it before we have finished.
 */
export async function startPostmaster(
  cluster: Cluster,
  name: string,
  options: ClusterOptions,
): Promise<boolean> {
  const port = options.port ?? (await freePort());
  if (options.port !== undefined) await checkPortFree(options.port);
  await disownPidFile(cluster);
  options.log?.(`starting PostgreSQL on 127.0.0.1:${port}`);
  const log = await open(cluster.log, "w", 0o600);
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
    `cluster_name=${name}`,
    ...(cluster.closed ? [`${FOLDER_SETTING}=${cluster.data}`] : []),
    ...(options.durable === false ? ["fsync=off", "synchronous_commit=off", "full_page_writes=off"] : []),
  ];
  const child = spawn(
    cluster.programs.postgres,
    ["-D", cluster.closed ? CURRENT_FOLDER : cluster.data, ...settings.flatMap((setting) => ["-c", setting])],
    {
      ...cluster.runAs,
      cwd: cluster.closed ? cluster.data : cluster.folder,
      env: CHILD_ENV,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    },
  );
  child.unref();
  let ended: Error | number | null = null;
  child.once("error", (error) => {
    ended = error;
  });
  child.once("exit", (code) => {
    ended = code ?? -1;
  });
  try {
    while (ended === null) {
      const running = await findPostmaster(cluster);
      if (running !== null && running.port !== 0) return running.pid === child.pid;
      await pause(20);
    }
  } finally {
    await log.close();
  }
  return await explainFailure(cluster, port, options, ended);
}

async function explainFailure(
  cluster: Cluster,
  port: number,
  options: ClusterOptions,
  cause: unknown,
): Promise<false> {
  if ((await findPostmaster(cluster)) !== null) return false;
  const log = await readFile(cluster.log, "utf8").catch(() => "");
  // Sessions of a killed postmaster end soon after it.
  if (log.includes("shared memory block")) {
    await pause(100);
    return false;
  }
  if (log.includes("could not bind")) {
    if (options.port === undefined) return false;
    throw portTakenError(port);
  }
  const tail = log.trim().split("\n").slice(-5).join("\n");
  throw new EmbeddedPostgresError("failed", `PostgreSQL did not start (log: ${cluster.log}):\n${tail}`, {
    cause,
  });
}

function portTakenError(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "port_taken",
    `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port.`,
  );
}

/** Resolves to the port that a listener on 127.0.0.1 got. */
function probePort(port: number): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}

const freePort = () => probePort(0);

async function checkPortFree(port: number): Promise<void> {
  await probePort(port).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") throw portTakenError(port);
    throw error;
  });
}
