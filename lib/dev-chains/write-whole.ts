import { renameSync, writeFileSync } from "node:fs";

/** Writes a file that only its owner can read. A kill leaves the old file or the new one, never a part. */
export function writeWhole(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
