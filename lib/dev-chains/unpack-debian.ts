import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

export type Unpacked =
  /** The folder with its programs. */
  | { readonly ok: true; readonly folder: string }
  /** The reason why it is unavailable, in words. */
  | { readonly ok: false; readonly problem: string };

/**
 * Returns the folder of what `unpack-debian.sh` calls `name`, in the cache folder (PAYLINK_CACHE_DIR,
 * ~/.cache/paylink). Unpacks it there from Debian's packages first, if apt is available. `program` is one of
 * the programs inside. `say` receives progress lines.
 */
export async function unpackDebian(
  name: string,
  program: string,
  env: ProcessEnvironment,
  say: (line: string) => void,
): Promise<Unpacked> {
  const cache = env.PAYLINK_CACHE_DIR || join(env.HOME ?? homedir(), ".cache", "paylink");
  const folder = join(cache, name);
  if (isExecutable(join(folder, program))) return { ok: true, folder };
  if (findOnPath("apt-get", env) === null)
    return { ok: false, problem: `there is no ${name} on this machine` };
  say(`unpacking ${name} into ${folder} …`);
  try {
    const script = join(import.meta.dirname, "unpack-debian.sh");
    await promisify(execFile)("sh", [script, name, folder], { timeout: 900_000 });
    return { ok: true, folder };
  } catch (error) {
    const reason = lastLine((error as { stderr?: string }).stderr) ?? String(error);
    return { ok: false, problem: `${name} could not be unpacked (${reason})` };
  }
}

/** The first program with this name on the PATH. null when there is none. */
export function findOnPath(name: string, env: ProcessEnvironment): string | null {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastLine(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim();
}
