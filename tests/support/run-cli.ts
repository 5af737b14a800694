import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
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
    ...optionsOf(env),
    encoding: "utf8",
  });
  return keep(env, { status, stdout, stderr });
}

/** The same for a command that asks a server of this process. */
export async function runCliAsync(env: Record<string, string>, ...args: string[]): Promise<CliRun> {
  const child = spawn(process.execPath, ["lib/cli/main.ts", ...args], optionsOf(env));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return keep(env, { status: status as number | null, stdout, stderr });
}

function optionsOf(env: Record<string, string>) {
  return { cwd: ROOT, env: { NODE_ENV: "test" as const, PATH: process.env.PATH, ...COMPILE_CACHE, ...env } };
}

function keep(env: Record<string, string>, run: Omit<CliRun, "json">): CliRun {
  // Its standard output is its answer, which may be a key. Only standard error is a log.
  keepLog("cli", run.stderr);
  keepSecretsOf(env);
  return { ...run, json: () => JSON.parse(run.stdout) };
}
