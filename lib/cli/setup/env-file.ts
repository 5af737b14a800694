import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import { CommandRefusal } from "../cli.ts";

export type Variables = Readonly<Record<string, string>>;

/** New values of variables. Null: the variable is taken out. */
export type Changes = Readonly<Record<string, string | null>>;

/** The variables of a file by their names, and its text. Null: there is no such file. Throws if it cannot be read. */
export function readEnvFile(path: string): { readonly text: string; readonly values: Variables } | null {
  try {
    const text = readFileSync(path, "utf8");
    return { text, values: parseEnv(text) as Variables };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** The variables after the changes. */
export function applyChanges(values: Variables, changes: Changes): Variables {
  const changed = Object.entries({ ...values, ...changes });
  return Object.fromEntries(changed.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}

/**
 * Changes variables in the text of a file: each in the place that it has, or at the end. All other lines stay. Throws CommandRefusal if a
 * program would read another value than the given one.
 */
export function mergeEnv(text: string, changes: Changes): string {
  const left = new Map(Object.entries(changes));
  const lines = text.split("\n").flatMap((line) => {
    const [, name = ""] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line) ?? [];
    const value = changes[name];
    if (value === undefined) return [line];
    const isFirst = left.delete(name);
    return isFirst && value !== null ? [formatLine(name, value)] : [];
  });
  const kept = lines.join("\n").replace(/\n*$/, "");
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : [formatLine(name, value)]));
  const merged = `${[...(kept === "" ? [] : [kept]), ...added].join("\n")}\n`;
  const read = parseEnv(merged);
  for (const [name, value] of Object.entries(changes))
    if ((read[name] ?? null) !== value)
      throw new CommandRefusal(`${name} would not be read back: look for open quotes in the file`);
  return merged;
}

/** In quotes where a program might read the value otherwise: docs/operate/install.md. */
function formatLine(name: string, value: string): string {
  const isPlain = /^[\w@%+=:,./?&<>[\]() -]*$/.test(value) && value === value.trim();
  if (isPlain) return `${name}=${value}`;
  if (!value.includes("'")) return `${name}='${value}'`;
  // Within double quotes programs replace these, each in its own way.
  if (/["$`\\]/.test(value))
    throw new CommandRefusal(
      `the value of ${name} has ' and one of " $ \` \\, which programs read differently: in a URL write %27 instead of '`,
    );
  return `${name}="${value}"`;
}

/** Refuses a folder in which this user cannot write the file, before any question. */
export function requireWritable(path: string): void {
  const folder = dirname(readEnvFile(path) === null ? path : realpathSync(path));
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new CommandRefusal(`this user cannot write in ${folder}: run setup as its owner, or as root`);
  }
}

/**
 * The user ids of this process, of the file's owner, and of the owner that it should have. The last two differ if this user
 * may not give files away.
 */
export interface Ownership {
  readonly self: number;
  readonly owner: number;
  readonly wanted: number;
}

/**
 * Writes the file, which only its owner may read. `before` is the text that it had when it was read, null for none: throws
 * CommandRefusal if it has another one now. Whatever ends the process, the file has its old text or all of the new one. A
 * link stays, and so does the owner. A new file belongs to the owner of its folder.
 */
export function writeEnvFile(path: string, text: string, before: string | null): Ownership {
  const file = before === null ? path : findRealPath(path);
  const { uid: wanted, gid } = statSync(before === null ? dirname(path) : file);
  const written = before === null ? file : `${file}.${randomBytes(6).toString("hex")}`;
  const self = writeNew(written, text, { uid: wanted, gid });
  if (before !== null)
    try {
      if (readEnvFile(file)?.text !== before) throw new CommandRefusal(explainChange(path));
      renameSync(written, file);
    } finally {
      rmSync(written, { force: true });
    }
  syncFolder(dirname(file));
  return { self, owner: statSync(file).uid, wanted };
}

const explainChange = (path: string) =>
  `${path} has changed since setup read it, so nothing was written: run setup again`;

function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? new CommandRefusal(explainChange(path)) : error;
  }
}

/** Returns the user id of this process. */
function writeNew(path: string, text: string, owner: Pick<Stats, "uid" | "gid">): number {
  const file = openNew(path);
  try {
    const { uid: self } = fstatSync(file);
    writeFileSync(file, text);
    giveTo(file, owner);
    fsyncSync(file);
    return self;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? new CommandRefusal(explainChange(path)) : error;
  }
}

/** Only root may give a file to another user. A container may not know the user. */
function giveTo(file: number, { uid, gid }: Pick<Stats, "uid" | "gid">): void {
  const present = fstatSync(file);
  if (present.uid === uid && present.gid === gid) return;
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (!["EPERM", "EINVAL"].includes(codeOf(error) ?? "")) throw error;
  }
}

/** Makes the file's new name survive a power failure. Windows cannot open a folder. */
function syncFolder(path: string): void {
  if (platform() === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
