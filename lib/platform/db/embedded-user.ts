import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./embedded-error.ts";

const execute = promisify(execFile);

/** Whom PostgreSQL runs as: nothing set means as ourselves. It refuses to run as root. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const USER = "postgres";

/** As root: the system's user `postgres`, made if absent. Otherwise ourselves. Throws EmbeddedError "no_user". */
export async function unprivilegedUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const known = await lookUp();
  if (known !== null) return known;
  try {
    await execute("useradd", ["--system", "--user-group", "--shell", "/usr/sbin/nologin", USER]);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "no_user",
      `PostgreSQL does not run as root, and the user "${USER}" could not be made: make it, run as another user, or set DATABASE_URL`,
      { cause },
    );
  }
  const made = await lookUp();
  if (made === null)
    throw new EmbeddedPostgresError("no_user", `the user "${USER}" was made but cannot be found`);
  return made;
}

async function lookUp(): Promise<Required<RunAs> | null> {
  try {
    const [uid, gid] = await Promise.all([execute("id", ["-u", USER]), execute("id", ["-g", USER])]);
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  } catch {
    return null;
  }
}

/** The deepest folder among `path` and those above it that is closed to the other user; null when there is none. */
export async function findInaccessibleFolder(path: string, { uid, gid }: RunAs): Promise<string | null> {
  if (uid === undefined) return null;
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = await stat(folder);
    const needed = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return folder;
    if (dirname(folder) === folder) return null;
  }
}

export function unreachableError(path: string, closed: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "unreachable",
    `${closed} is closed to the user "${USER}", whom PostgreSQL runs as because this program runs as root. ` +
      `${path} must be reachable by that user: use a folder outside ${closed}, open it (chmod o+x), ` +
      "run as another user, or set DATABASE_URL",
    { cause },
  );
}
