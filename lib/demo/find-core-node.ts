import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import type { CoreProgram } from "./core-programs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundNode =
  | { readonly ok: true; readonly path: string }
  /** One line: why there is none, and how to add it. */
  | { readonly ok: false; readonly problem: string };

/**
 * The program to run: the one of its variable (BITCOIND, say), else the PATH's, else one in the cache folder
 * (PAYLINK_CACHE_DIR, ~/.cache/paylink), which is unpacked there from Debian's packages at first where apt can do that.
 * `say` hears of it.
 */
export async function findCoreNode(
  program: CoreProgram,
  env: Environment = process.env,
  say: (line: string) => void = () => {},
): Promise<FoundNode> {
  const { name, variable, project, script } = program;
  const howToAdd = `to add it, install ${project} and put ${name} on the PATH, or set ${variable} to where it is`;
  const named = env[variable];
  if (named) {
    if (isExecutable(named)) return { ok: true, path: named };
    return { ok: false, problem: `${variable} is ${named}, which is no program` };
  }
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (onPath !== undefined) return { ok: true, path: onPath };
  const cache = env.PAYLINK_CACHE_DIR || join(env.HOME ?? homedir(), ".cache", "paylink");
  const cached = join(cache, name, name);
  if (isExecutable(cached)) return { ok: true, path: cached };
  if (!folders.some((folder) => isExecutable(join(folder, "apt-get")))) {
    return { ok: false, problem: `there is no ${name} on this machine; ${howToAdd}` };
  }
  say(`unpacking ${name} into ${join(cache, name)} …`);
  try {
    await unpack(script, join(cache, name));
    return { ok: true, path: cached };
  } catch (error) {
    const reason = lastLine((error as { stderr?: string }).stderr) ?? String(error);
    return { ok: false, problem: `${name} could not be unpacked (${reason}); ${howToAdd}` };
  }
}

async function unpack(script: string, target: string): Promise<void> {
  await promisify(execFile)("sh", [join(import.meta.dirname, script), target], { timeout: 300_000 });
}

function lastLine(text: string | undefined): string | undefined {
  return text
    ?.split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
