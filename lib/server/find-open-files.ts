import { existsSync, statSync } from "node:fs";

/** The permission bits of the group and of others. */
const OTHERS = 0o077;

/** Lists the files and folders that another user of this machine may read or change. Absent and unreachable ones are skipped. */
export function findOpenFiles(paths: readonly string[]): string[] {
  // Windows has no such permissions.
  if (process.platform === "win32") return [];
  return paths.filter((path) => existsSync(path) && (statSync(path).mode & OTHERS) !== 0);
}
