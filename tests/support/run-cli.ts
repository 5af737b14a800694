import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { keepLog, keepSecretsOf } from "./kept-logs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output parsed as JSON. */
  json(): unknown;
}

/** Node's compile cache (tests/run.ts): a process starts in half the time. */
export const COMPILE_CACHE: Readonly<Record<string, string>> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** Runs the operator's command in its own process, with only these variables of the program. */
export function runCli(env: Record<string, string>, ...args: string[]): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["lib/cli/main.ts", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
  });
  // Its standard output is its answer, which may be a key. Only standard error is a log.
  keepLog("cli", stderr);
  keepSecretsOf(env);
  return { status, stdout, stderr, json: () => JSON.parse(stdout) };
}
