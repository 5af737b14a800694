import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperatorError } from "#lib/platform/operator-error.ts";

/** The files of a signer, in one folder of its host. */
export function signerFiles(folder: string) {
  return {
    key: join(folder, "key.json"),
    policy: join(folder, "policy.json"),
    journal: join(folder, "journal.jsonl"),
  } as const;
}

/** A file of the signer is missing, exists already, or others may read it. The message is for the operator. */
class HostFileError extends OperatorError {}

/** Writes a new file that only its owner can read. Throws a HostFileError if there is one already. */
export function writeNewFile(path: string, text: string): void {
  if (existsSync(path)) throw new HostFileError(`${path} exists already: it is not overwritten`);
  if (!existsSync(dirname(path)))
    throw new HostFileError(`there is no folder ${dirname(path)}: make it first`);
  writeFileSync(path, text, { mode: 0o600, flag: "wx" });
}

/** Reads a file that only its owner may read or write. Throws a HostFileError. */
export function readPrivateFile(path: string): string {
  if (!existsSync(path)) throw new HostFileError(`${path} is missing`);
  if ((statSync(path).mode & 0o077) !== 0)
    throw new HostFileError(`other users can open ${path}: chmod go-rwx ${path}`);
  return readFileSync(path, "utf8");
}
