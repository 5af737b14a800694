import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./embedded-error.ts";

const execute = promisify(execFile);

/** The user that PostgreSQL runs as. Empty: our own user. PostgreSQL refuses to run as root. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

const USER = "postgres";

/**
 * Under root: the system's user `postgres`, created if it is missing. Otherwise our own user. Throws
 * EmbeddedPostgresError "no_user".
 */
export async function unprivilegedUser(): Promise<RunAs> {
  if (process.getuid?.() !== 0) return {};
  const known = await findUser();
  if (known !== null) return known;
  try {
    await execute("useradd", ["--system", "--user-group", "--shell", "/usr/sbin/nologin", USER]);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "no_user",
      `PostgreSQL does not run as root, and the user "${USER}" cannot be created. Create it, run as another user, or set DATABASE_URL.`,
      { cause },
    );
  }
  const made = await findUser();
  if (made === null)
    throw new EmbeddedPostgresError("no_user", `the user "${USER}" was created but cannot be found`);
  return made;
}

async function findUser(): Promise<Required<RunAs> | null> {
  try {
    const [uid, gid] = await Promise.all([execute("id", ["-u", USER]), execute("id", ["-g", USER])]);
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  } catch {
    return null;
  }
}

/** The deepest folder of `path` and its parents that the other user cannot enter. Null if there is none. */
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
    `The user "${USER}" cannot enter ${closed}. PostgreSQL runs as this user because the program runs as root. ` +
      `The user must be able to reach ${path}: use a folder outside ${closed}, open it (chmod o+x), ` +
      "run as another user, or set DATABASE_URL.",
    { cause },
  );
}
