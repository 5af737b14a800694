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

/** A cluster on disk: `folder` holds the data, the password and the log. */
export interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly log: string;
  readonly programs: PostgresPrograms;
  readonly runAs: RunAs;
  /** A folder above is closed to the server's user: see CURRENT_FOLDER. */
  readonly closed: boolean;
}

/**
 * A user who cannot enter a folder can still work below it from a current folder that somebody else entered. So below a
 * closed one root enters the data folder and then becomes the server's user, and PostgreSQL, which does all its work
 * from there, is given this name: every process has its own current folder behind it, without any path.
 */
const CURRENT_FOLDER = "/proc/self/cwd";

/** Setting of a server on CURRENT_FOLDER: the folder's path, by which it is recognised. */
export const FOLDER_SETTING = "paylink.folder";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Opens the cluster under `${dataDir}/postgres`, making it on first use. Throws EmbeddedError. */
export async function openCluster(dataDir: string, options: ClusterOptions): Promise<Cluster> {
  const runAs = await unprivilegedUser();
  const programs = await reachablePrograms(await findPrograms(), runAs, options.log);
  await mkdir(dataDir, { recursive: true });
  // One spelling for everybody: a running server is recognised by the folder in its command line.
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
  if (!(await exists(folder))) await initialise(base, cluster, options);
  return cluster;
}

/** Made aside and renamed into place: a half-made cluster never counts, and of two makers one wins. */
async function initialise(dataDir: string, cluster: Cluster, options: ClusterOptions): Promise<void> {
  options.log?.("creating the database cluster");
  const aside = join(dataDir, `postgres.new-${randomBytes(6).toString("hex")}`);
  const data = join(aside, "data");
  const password = join(aside, "password");
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600 });
    for (const path of [aside, data, password]) await handOver(path, cluster.runAs);
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
    await rename(aside, cluster.folder);
  } catch (error) {
    if (await exists(cluster.folder)) return;
    throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function handOver(path: string, runAs: RunAs): Promise<void> {
  if (runAs.uid !== undefined && runAs.gid !== undefined) await chown(path, runAs.uid, runAs.gid);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Environment of PostgreSQL's own programs: none of our secrets, no PG* variables. */
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

/** The live postmaster of this folder, by its own postmaster.pid; null when there is none. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const [pidText = "", ...rest] = (await readPidFile(cluster)).split("\n");
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isInteger(pid) || !(await isPostmaster(cluster, pid))) return null;
  const port = Number.parseInt(rest[2] ?? "", 10);
  return { pid, port: Number.isInteger(port) ? port : 0 };
}

const pidFile = (cluster: Cluster) => join(cluster.data, "postmaster.pid");

/** Empty when there is none. */
const readPidFile = (cluster: Cluster) => readFile(pidFile(cluster), "utf8").catch(() => "");

/**
 * A killed postmaster left its file, and the number belongs to another process by now, or to a dead one that nobody
 * collected: PostgreSQL would refuse to start. With its parent's number there it looks on, at the shared memory that
 * sessions of the killed one may still hold. Only before a start: a new postmaster's file must stay as it is.
 */
async function disownPidFile(cluster: Cluster): Promise<void> {
  const text = await readPidFile(cluster);
  const [pidText = "", ...rest] = text.split("\n");
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isInteger(pid) || !isAlive(pid) || (await isPostmaster(cluster, pid))) return;
  // Another process may have started one in the meantime.
  if ((await readPidFile(cluster)) === text)
    await writeFile(pidFile(cluster), [process.pid, ...rest].join("\n"));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether process `pid` lives and is this folder's server: numbers are used again, dead processes linger. */
export async function isPostmaster(cluster: Cluster, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  // Empty for a dead process that nobody has collected.
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const parts = command.split("\0");
  return parts.includes(cluster.data) || parts.includes(`${FOLDER_SETTING}=${cluster.data}`);
}

/**
 * Starts a postmaster that carries `name`. True once a postmaster of ours lives (not yet necessarily ready); false when another start came first.
 * It gets a session of its own, so that a Ctrl-C meant for us does not reach it before we are done with it.
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
  // Sessions of a killed postmaster notice its death within moments.
  if (log.includes("shared memory block")) {
    await pause(100);
    return false;
  }
  if (log.includes("could not bind")) {
    if (options.port === undefined) return false;
    throw portTaken(port);
  }
  const tail = log.trim().split("\n").slice(-5).join("\n");
  throw new EmbeddedPostgresError("failed", `PostgreSQL did not start (log: ${cluster.log}):\n${tail}`, {
    cause,
  });
}

function portTaken(port: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "port_taken",
    `port ${port} on 127.0.0.1 is taken: PostgreSQL cannot listen there`,
  );
}

/** Resolves to the port a listener got on 127.0.0.1. */
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
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") throw portTaken(port);
    throw error;
  });
}
