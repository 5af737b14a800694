import { promises as files } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { CommandConfig } from "#lib/server/config.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

const GIGABYTE = 1e9;
/** PostgreSQL and its log may fill so much free space within days, and within hours. */
const LITTLE_BYTES = 5 * GIGABYTE;
const NO_BYTES = GIGABYTE;
/** Daily backups, and one that was late. */
const BACKUP_HOURS = 48;
const HOUR_MS = 3_600_000;
/** How `paylink backup` ends the name of a backup until it is whole. */
const PART = ".part";
const PAGE = "docs/operate/backup.md";

/** Checks the free space of the disk with DATA_DIR. A database on another machine has its own. */
export async function checkDisk({ dataDir }: Pick<CommandConfig, "dataDir">): Promise<readonly Finding[]> {
  const { bavail, blocks, bsize } = await files.statfs(await findExisting(resolve(dataDir)));
  const free = bavail * bsize;
  const share = blocks === 0 ? 0 : bavail / blocks;
  const found = `${(free / GIGABYTE).toFixed(1)} GB (${Math.round(share * 100)} %) free on the disk of DATA_DIR`;
  const advice = "Free space or enlarge the disk: with a full one PostgreSQL stops, and payments wait.";
  if (free < NO_BYTES) return [failed("disk", found, advice)];
  if (free < LITTLE_BYTES) return [warning("disk", found, advice)];
  return [ok("disk", found)];
}

/** The folder, or the nearest one above it that exists. */
async function findExisting(folder: string): Promise<string> {
  try {
    await files.access(folder);
    return folder;
  } catch {
    return dirname(folder) === folder ? folder : findExisting(dirname(folder));
  }
}

/** Checks the age of the newest backup in BACKUP_DIR. */
export async function checkBackup(
  { backupDir, networks }: Pick<CommandConfig, "backupDir" | "networks">,
  now: Date,
): Promise<readonly Finding[]> {
  if (backupDir === null) {
    if (!networks.some(({ env }) => env === "live")) return [ok("backup", "no live network is on")];
    return [
      warning(
        "backup",
        "BACKUP_DIR is not set: the age of the last backup is unknown",
        `Make a backup each day (${PAGE}), and set BACKUP_DIR to the folder that holds them.`,
      ),
    ];
  }
  const newest = await findNewest(backupDir);
  const make = `Make one, and a timer that makes one each day: ${PAGE}.`;
  if (newest === null) return [failed("backup", "BACKUP_DIR has no backup, or cannot be read", make)];
  const hours = Math.floor((now.getTime() - newest.at) / HOUR_MS);
  const found = `the newest backup, ${newest.name}, is ${hours} hours old`;
  return [hours > BACKUP_HOURS ? failed("backup", found, make) : ok("backup", found)];
}

/**
 * The file or folder that came last, and when (milliseconds). A copy of a folder (`cp -a`) keeps the time of its content, not that of its
 * coming. An empty file is a dump that failed, and NAME.part a backup that was interrupted. Null: the folder has no other, or cannot be read.
 */
async function findNewest(folder: string): Promise<{ readonly name: string; readonly at: number } | null> {
  try {
    const names = await files.readdir(folder);
    const found = await Promise.all(
      names.map(async (name) => {
        const { birthtimeMs, mtimeMs, size } = await files.stat(join(folder, name));
        return { name, at: Math.max(birthtimeMs, mtimeMs), isEmpty: size === 0 };
      }),
    );
    const whole = found.filter(({ name, isEmpty }) => !isEmpty && !name.endsWith(PART));
    return whole.toSorted((a, b) => b.at - a.at)[0] ?? null;
  } catch {
    return null;
  }
}
