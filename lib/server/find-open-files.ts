import { existsSync, type Stats, statSync } from "node:fs";

/** The permission bits of the group and of others. */
const OTHERS = 0o077;
/** The same, without the group's right to read. */
const OTHERS_THAN_READERS = 0o037;

/** Lists the files and folders that another user of this machine may read or change. Absent and unreachable ones are skipped. */
export function findOpenFiles(paths: readonly string[]): string[] {
  // Windows has no such permissions.
  if (process.platform === "win32") return [];
  return paths.filter((path) => existsSync(path) && isOpen(statSync(path)));
}

/** The group of a file of root may read it: root gives settings so to a program that may not change them. */
export function isOpen(stats: Pick<Stats, "mode" | "uid" | "gid" | "isFile">): boolean {
  const isForItsGroup = stats.isFile() && stats.uid === 0 && stats.gid !== 0;
  return (stats.mode & (isForItsGroup ? OTHERS_THAN_READERS : OTHERS)) !== 0;
}
