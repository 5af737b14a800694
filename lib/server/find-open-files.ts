import { statSync } from "node:fs";

/** The permission bits of the group and of others. */
const OTHERS = 0o077;

/** Those of these files and folders that another user of this machine may read or change. Absent ones are skipped. */
export function findOpenFiles(paths: readonly string[]): string[] {
  // Windows has no such permissions.
  if (process.platform === "win32") return [];
  return paths.filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.mode & OTHERS) !== 0;
  });
}
