/** A streaming standby of a PostgreSQL 17 of the tests, made by pg_basebackup. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chownSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { unprivilegedUser } from "#lib/platform/db/embedded-user.ts";
import { temporaryFolder } from "./database.ts";
import { findPatroni } from "./patroni.ts";
import { reachable } from "./postgres-17.ts";
import { until } from "./until.ts";

export interface Replica17 {
  /** The URL of a database of the primary, on the replica. */
  urlOf(url: string): string;
  /** The texts of all statements that it has executed. */
  statements(): readonly string[];
  /** Stops replaying what the primary writes. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Stops every process: connections stay open, and nobody answers. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a standby of the server that this URL's superuser may replicate. It ends with this process at the latest. */
export async function startReplica17(primaryUrl: string, { isLogged = true } = {}): Promise<Replica17> {
  const found = await findPatroni(() => {});
  if (!found.ok) throw new Error(found.problem);
  const folder = temporaryFolder();
  const runAs = await unprivilegedUser();
  const programs = await reachable(found.folder, folder, runAs);
  const [data, log] = [join(folder, "data"), join(folder, "server.log")];
  mkdirSync(data, { mode: 0o700 });
  if (runAs.uid !== undefined && runAs.gid !== undefined) chownSync(data, runAs.uid, runAs.gid);
  const options = {
    ...runAs,
    cwd: folder,
    env: { NODE_ENV: "test", PATH: process.env.PATH ?? "", LC_ALL: "C" } as const,
  };
  const args = [`--pgdata=${data}`, `--dbname=${primaryUrl}`];
  await promisify(execFile)(
    join(programs, "pg_basebackup"),
    [...args, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"],
    options,
  );
  const port = await choosePort(0);
  const urlOf = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off"],
    // The driver's statements have parameters, which PostgreSQL logs as "execute NAME: TEXT".
    ...(isLogged ? ["log_statement=all", "log_line_prefix="] : []),
  ];
  let server: ChildProcess;
  const start = async () => {
    server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((one) => ["-c", one])], {
      ...options,
      stdio: ["ignore", openSync(log, "a"), openSync(log, "a")],
    });
    await until("the replica", () =>
      query("select 1").then(
        () => true,
        () => false,
      ),
    );
  };
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: urlOf(primaryUrl) });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => {});
    }
  };
  const signal = (name: NodeJS.Signals) => {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").split(" ");
    for (const pid of [server.pid as number, ...children.filter(Boolean).map(Number)])
      process.kill(pid, name);
  };
  const end = async (name: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(name);
    await ended;
  };
  const atExit = () => {
    server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once("exit", atExit);
  await start();
  return {
    urlOf,
    statements: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .flatMap((line) => /^LOG: {2}(?:statement|execute [^:]*): (.*)$/.exec(line)?.[1] ?? []),
    pauseReplay: () => query("select pg_wal_replay_pause()"),
    resumeReplay: () => query("select pg_wal_replay_resume()"),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    kill: () => end("SIGQUIT"),
    start,
    async stop() {
      process.off("exit", atExit);
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
