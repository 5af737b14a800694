/**
 * A PostgreSQL 17 with its tools, as packaged by Debian: another major version than npm's, and with pg_dump.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, globSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import {
  isExecutable,
  type ProcessEnvironment,
  type Unpacked,
  unpackDebian,
} from "#lib/dev-chains/unpack-debian.ts";
import { findInaccessibleFolder, type RunAs, unprivilegedUser } from "#lib/platform/db/embedded-user.ts";
import { temporaryFolder } from "./database.ts";
import { until } from "./until.ts";

/** The variable with the folder of its programs. */
export const POSTGRES_17 = "POSTGRES_17";
/** Programs of older versions, where the machine has them as Debian installs them. */
export const OLDER_POSTGRES = globSync("/usr/lib/postgresql/1[56]/bin");
const PROGRAMS = ["postgres", "initdb", "psql", "pg_dump", "pg_restore"] as const;
/** The file that compose.yaml runs in PostgreSQL's image. */
const ROLES = fileURLToPath(new URL("../../lib/platform/db/roles.sql", import.meta.url));
const ENVIRONMENT = { NODE_ENV: "test", PATH: process.env.PATH ?? "", LC_ALL: "C" } as const;

/** The folder of its programs: from POSTGRES_17, else unpacked from Debian's packages. */
export async function findPostgres17(
  env: ProcessEnvironment = process.env,
  say: (line: string) => void = () => {},
): Promise<Unpacked> {
  const folder = env[POSTGRES_17];
  if (!folder) {
    const unpacked = await unpackDebian("postgresql", "postgres", env, say);
    const howToAdd = `to add it, install PostgreSQL 17 and set ${POSTGRES_17} to the folder of its programs`;
    return unpacked.ok ? unpacked : { ok: false, problem: `${unpacked.problem}; ${howToAdd}` };
  }
  const missing = PROGRAMS.filter((program) => !isExecutable(join(folder, program)));
  if (missing.length === 0) return { ok: true, folder };
  return { ok: false, problem: `${POSTGRES_17} is ${folder}, which has no ${missing.join(", ")}` };
}

/** Different from the role name, which logs may contain. */
const passwordOf = (role: string) => `${role}-password`;

export interface Postgres17 {
  /** URL of the superuser, to the database `postgres`. */
  readonly url: string;
  /** Runs pg_dump or pg_restore. Throws with its output on a failure. */
  run(program: "pg_dump" | "pg_restore", ...args: string[]): Promise<void>;
  /** Creates the two roles of the manual and a database `paylink`. */
  makeRoles(): Promise<void>;
  /** The URL of a database for one of those roles. */
  urlOf(role: string, database: string): string;
  stop(): Promise<void>;
}

/**
 * Starts a server in a temporary folder. It ends with this process at the latest. Throws if PostgreSQL 17 is
 * unavailable. `programs`: the folder of another version's programs. `more`: settings of the server.
 */
export async function startPostgres17(programs?: string, more: readonly string[] = []): Promise<Postgres17> {
  const found = await findPostgres17(programs === undefined ? process.env : { [POSTGRES_17]: programs });
  if (!found.ok) throw new Error(found.problem);
  const folder = temporaryFolder();
  const runAs = await unprivilegedUser();
  const reached = await reachable(found.folder, folder, runAs);
  const [data, password] = [join(folder, "data"), join(folder, "password")];
  const secret = randomBytes(12).toString("hex");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(password, secret, { mode: 0o600 });
  for (const path of [data, password]) {
    if (runAs.uid !== undefined && runAs.gid !== undefined) chownSync(path, runAs.uid, runAs.gid);
  }
  const options = { ...runAs, cwd: folder, env: ENVIRONMENT };
  const made = ["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(
    join(reached, "initdb"),
    [`--pgdata=${data}`, `--pwfile=${password}`, ...made],
    options,
  );
  const port = await choosePort(0);
  const own = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off"];
  const settings = [...own, ...more];
  const log = join(folder, "server.log");
  const server = spawn(
    join(reached, "postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...options, stdio: ["ignore", openSync(log, "w"), openSync(log, "a")] },
  );
  const stop = endOf(server, folder);
  const url = `postgres://postgres:${secret}@127.0.0.1:${port}/postgres`;
  await until("PostgreSQL 17", () => answers(url, server, log));
  return {
    url,
    async run(program, ...args) {
      await promisify(execFile)(join(reached, program), args, { env: ENVIRONMENT });
    },
    async makeRoles() {
      const passwords = {
        OWNER_PASSWORD: passwordOf("paylink_owner"),
        APP_PASSWORD: passwordOf("paylink_app"),
      };
      const args = ["--no-psqlrc", "--set=ON_ERROR_STOP=1", `--file=${ROLES}`, url];
      await promisify(execFile)(join(reached, "psql"), args, { env: { ...ENVIRONMENT, ...passwords } });
    },
    urlOf: (role, database) =>
      Object.assign(new URL(url), { username: role, password: passwordOf(role), pathname: `/${database}` })
        .href,
    stop,
  };
}

/** The programs where the server's user can reach them: a copy if root's folders are closed to it. */
export async function reachable(programs: string, folder: string, runAs: RunAs): Promise<string> {
  if ((await findInaccessibleFolder(programs, runAs)) === null) return programs;
  const copy = join(folder, "programs");
  const { status, stderr } = spawnSync("cp", ["-a", programs, copy], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return copy;
}

async function answers(url: string, server: ChildProcess, log: string): Promise<boolean> {
  if (server.exitCode !== null) throw new Error(`PostgreSQL 17 ended: ${readFileSync(log, "utf8")}`);
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function endOf(server: ChildProcess, folder: string): () => Promise<void> {
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const forget = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const atExit = () => {
    server.kill("SIGQUIT");
    forget();
  };
  process.once("exit", atExit);
  return async () => {
    process.off("exit", atExit);
    server.kill("SIGINT");
    await ended;
    forget();
  };
}
