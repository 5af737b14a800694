import { rmSync } from "node:fs";
import { after, type TestContext } from "node:test";
import { temporaryFolder } from "./database.ts";

/** A new folder that is deleted after a test. */
export function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder that is deleted after the tests of a file. */
export function folderOfFile(): string {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
