/** Processes of tests, and those of this machine, read from /proc. Empty on systems without it. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Arguments for Node, with which a process starts as quickly as the server. */
export const QUICK_START: readonly string[] = [
  "--import",
  fileURLToPath(new URL("../../lib/platform/quick-start.mjs", import.meta.url)),
];

export interface FoundProcess {
  readonly pid: number;
  /** Its program and arguments, separated by spaces. */
  readonly command: string;
}

/** Live processes whose command line contains `text`. A dead process that was not collected has none. */
export function findProcesses(text: string): readonly FoundProcess[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = pids.map((pid) => ({ pid: Number(pid), command: readCommand(pid) }));
  return all.filter(({ command }) => command.includes(text));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended in the meantime.
    return "";
  }
}
