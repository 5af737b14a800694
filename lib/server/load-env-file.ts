import { readFileSync } from "node:fs";

/**
 * Reads the variables of this file, if it exists, into the environment; those of the environment win. False if there
 * is such a file, but this user may not read it. Node itself would report it as absent.
 */
export function loadEnvFile(path: string): boolean {
  try {
    readFileSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
  process.loadEnvFile(path);
  return true;
}
