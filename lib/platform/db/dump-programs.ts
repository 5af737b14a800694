/** PostgreSQL's own programs that write and read dumps. The embedded PostgreSQL comes without them. */
import { execFile, spawn } from "node:child_process";
import { constants, promises as files } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { OperatorError } from "#lib/platform/operator-error.ts";

export type DumpProgram = "pg_dump" | "pg_restore";
type Variables = Readonly<Record<string, string | undefined>>;

/** The most of a program's messages that is repeated to the operator. */
const MOST_CHARACTERS = 2_000;
/** Parameters of a URL that libpq reads as pg does, and libpq's variables for them. */
const URL_PARAMETERS: Readonly<Record<string, string>> = {
  host: "PGHOST",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
};

/**
 * Finds a program of this major version, which is the server's: an older one refuses the server, and a newer one writes what the
 * server does not understand. It looks on the PATH, then where Debian installs each version. Throws an OperatorError.
 */
export async function findDumpProgram(program: DumpProgram, major: number, env: Variables): Promise<string> {
  const folders = [...(env.PATH ?? "").split(":"), `/usr/lib/postgresql/${major}/bin`];
  for (const folder of folders.filter((one) => one !== "")) {
    const path = join(folder, program);
    if ((await findMajor(path, env)) === major) return path;
  }
  throw new OperatorError(
    `${program} of PostgreSQL ${major} was not found, neither on the PATH nor in /usr/lib/postgresql/${major}/bin. ` +
      `Install it (Debian: postgresql-client-${major}), or stop the program and copy the folder of the embedded PostgreSQL ` +
      "(docs/operate/backup.md).",
  );
}

async function findMajor(path: string, env: Variables): Promise<number | null> {
  try {
    await files.access(path, constants.X_OK);
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      env: { NODE_ENV: "production", PATH: env.PATH },
    });
    return Number.parseInt(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? "", 10);
  } catch {
    return null;
  }
}

/**
 * Runs a program on the database of a URL. Its password is in a variable of that program alone: the arguments of a process are
 * visible to every user of the machine. Throws an OperatorError with the program's message if it fails.
 */
export async function runDumpProgram(
  path: string,
  { url, env, args }: { readonly url: string; readonly env: Variables; readonly args: readonly string[] },
): Promise<void> {
  const child = spawn(path, args, {
    env: { NODE_ENV: "production", PATH: env.PATH, HOME: env.HOME, LC_ALL: "C", ...connectionVariables(url) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = `${errors}${text}`.slice(0, MOST_CHARACTERS);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (status !== 0) throw new OperatorError(`${path} failed: ${errors.trim() || "it was killed"}`);
}

/** The database of a URL as the variables of libpq. The connection is as secure as pg's of the same URL. */
export function connectionVariables(url: string): Record<string, string> {
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url });
  const { searchParams } = new URL(url);
  const parameters = [...searchParams].flatMap(([name, value]) => {
    const variable = URL_PARAMETERS[name];
    return variable === undefined ? [] : [[variable, value]];
  });
  const isNamed = searchParams.has("ssl") || searchParams.has("sslmode");
  const mode = libpqMode(ssl) ?? (isNamed ? "disable" : null);
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGAPPNAME: "paylink backup",
    PGCONNECT_TIMEOUT: "10",
    ...(user !== undefined && { PGUSER: user }),
    ...(database !== undefined && { PGDATABASE: database }),
    ...(typeof password === "string" && { PGPASSWORD: password }),
    ...(mode !== null && { PGSSLMODE: mode }),
    // The default of libpq is a file of the user. pg trusts public authorities.
    ...(mode === "verify-full" && { PGSSLROOTCERT: "system" }),
    ...Object.fromEntries(parameters),
  };
}

/**
 * The mode of libpq that checks as much as pg does with these options, which pg read from a URL. The same word in a URL means less to
 * libpq: its `require` does not check who answers. Null: no encryption. A text is what pg does not understand, such as `ssl=false`.
 */
function libpqMode(ssl: unknown): "verify-full" | "verify-ca" | "require" | null {
  if (ssl === true) return "verify-full";
  if (typeof ssl !== "object" || ssl === null) return null;
  if ("rejectUnauthorized" in ssl && ssl.rejectUnauthorized === false) return "require";
  return "checkServerIdentity" in ssl ? "verify-ca" : "verify-full";
}
