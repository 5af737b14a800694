import { join } from "node:path";
import type { CoreProgram } from "./core-programs.ts";
import { findOnPath, isExecutable, type ProcessEnvironment, unpackDebian } from "./unpack-debian.ts";

export type FoundNode =
  | { readonly ok: true; readonly path: string }
  /** One line: why there is none, and how to install it. */
  | { readonly ok: false; readonly problem: string };

/**
 * Finds the program: first its variable (for example BITCOIND), then the PATH, then Debian's package
 * (unpackDebian). `say` receives progress lines.
 */
export async function findCoreNode(
  { name, variable, project }: CoreProgram,
  env: ProcessEnvironment = process.env,
  say: (line: string) => void = () => {},
): Promise<FoundNode> {
  const named = env[variable];
  if (named) {
    if (isExecutable(named)) return { ok: true, path: named };
    return { ok: false, problem: `${variable} is ${named}, which is no program` };
  }
  const onPath = findOnPath(name, env);
  if (onPath !== null) return { ok: true, path: onPath };
  const unpacked = await unpackDebian(name, name, env, say);
  if (unpacked.ok) return { ok: true, path: join(unpacked.folder, name) };
  const howToAdd = `to add it, install ${project} and put ${name} on the PATH, or set ${variable} to where it is`;
  return { ok: false, problem: `${unpacked.problem}; ${howToAdd}` };
}
