import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runCommand } from "#lib/cli/run-command.ts";
import { keepLog, keepSecretsOf } from "./kept-logs.ts";

const NO_DEMO = join(tmpdir(), "paylink-without-a-demo");
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output parsed as JSON. */
  json(): unknown;
}

type Variables = Readonly<Record<string, string>>;

/** The inputs of a call besides its variables: the text of standard input, a clock, a terminal instead of pipes. */
export interface CliOptions {
  readonly input?: string;
  readonly now?: () => Date;
  readonly folder?: string;
  readonly isTTY?: boolean;
  /** The command shows a person what they decide, as "signer approve" always does. Its standard error is no log. */
  readonly isDialog?: boolean;
}

/** Calls the operator's command in this process, with only these variables. */
export const runCli = (env: Variables, ...args: string[]): Promise<CliRun> => callCli(env, args);

export async function callCli(
  env: Variables,
  args: readonly string[],
  {
    input = "",
    isTTY = false,
    isDialog = args.slice(0, 2).join(" ") === "signer approve",
    now,
    folder,
  }: CliOptions = {},
): Promise<CliRun> {
  const [stdout, stderr] = [openOutput(isTTY), openOutput(isTTY)];
  const stdin = Readable.from(input === "" ? [] : [input]);
  const status = await runCommand({
    args,
    // Without it, the variables of a demo that ran in this folder would fill in for absent ones.
    env: { DATA_DIR: NO_DEMO, ...env },
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    now,
    ...(folder !== undefined && { folder }),
  });
  return keep(env, { status, stdout: stdout.text(), stderr: stderr.text() }, isDialog);
}

function openOutput(isTTY: boolean) {
  const parts: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(part, _encoding, done) {
      parts.push(part);
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => parts.join("") };
}

/** Node's compile cache (tests/run.ts): a process starts in half the time. */
export const COMPILE_CACHE: Variables = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

/** Runs the operator's command in a process of its own, and blocks this one. */
export function spawnCli(env: Variables, ...args: string[]): CliRun {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["lib/cli/main.ts", ...args], {
    cwd: ROOT,
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
    encoding: "utf8",
  });
  return keep(env, { status, stdout, stderr });
}

function keep(env: Variables, run: Omit<CliRun, "json">, isDialog = false): CliRun {
  // Its standard output is its answer, which may be a key. Only standard error is a log.
  if (!isDialog) keepLog("cli", run.stderr);
  keepSecretsOf(env);
  return { ...run, json: () => JSON.parse(run.stdout) };
}

/** An object that a command printed. */
export type Row = Record<string, unknown>;

/**
 * Calls with the variables that `env` returns. The words of `line` are separated by spaces, with single quotes as in a shell.
 * The words in `more` follow as they are.
 */
export function openTestCli(env: () => Variables, options: CliOptions = {}) {
  const run = (line: string, ...more: readonly string[]) =>
    callCli(env(), [...splitLine(line), ...more], options);
  return {
    run,
    /** The answer of a command that succeeds without a message. */
    async answer<T = Row>(line: string, ...more: readonly string[]): Promise<T> {
      const { status, stderr, json } = await run(line, ...more);
      assert.deepEqual([status, stderr], [0, ""], line);
      return json() as T;
    },
    /** Each of these lines is refused with its message alone. */
    async refuses(messages: Readonly<Record<string, string | RegExp>>): Promise<void> {
      for (const [line, message] of Object.entries(messages)) {
        const { status, stdout, stderr } = await run(line);
        assert.deepEqual([status, stdout], [1, ""], `${line}: ${stderr}`);
        if (typeof message === "string") assert.equal(stderr, `${message}\n`, line);
        else assert.match(stderr, message, line);
      }
    },
    /** Each of these lines is wrong usage, with such a message. */
    async misuses(message: RegExp, ...lines: readonly string[]): Promise<void> {
      for (const line of lines) {
        const { status, stdout, stderr } = await run(line);
        assert.deepEqual([status, stdout], [2, ""], `${line}: ${stderr}`);
        assert.match(stderr, message, line);
      }
    },
  };
}

function splitLine(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
