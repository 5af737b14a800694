import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/**
 * Reads the variables of this file, if it exists, into the environment; those of the environment win. Returns the names in
 * the file. Null if there is such a file, but this user may not read it. Node itself would report it as absent.
 */
export function loadEnvFile(path: string): readonly string[] | null {
  try {
    const names = Object.keys(parseEnv(readFileSync(path, "utf8")));
    process.loadEnvFile(path);
    return names;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    return null;
  }
}
