import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { until } from "#tests/support/until.ts";

export interface ShopProcess {
  /** Its output so far. */
  output(): string;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: string;
  /** Answers when the shop serves: with a success, or with `healthStatus`. */
  readonly health: string;
  readonly healthStatus?: number;
}

/** Starts a shop in a process group of its own, and waits until it serves. */
export async function startShop({ program, args, cwd, env, log, ...start }: Start): Promise<ShopProcess> {
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const file = createWriteStream(log, { flags: "a", mode: 0o600 });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      file.write(chunk);
    });
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      isEnded = true;
      resolve();
    });
  });
  const kill = async () => {
    if (!isEnded) process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
    file.end();
  };
  process.once("exit", () => !isEnded && process.kill(-(child.pid ?? 0), "SIGKILL"));
  const { health, healthStatus } = start;
  await until(
    `${health} to answer`,
    async () => {
      if (isEnded) throw new Error(`the shop ended:\n${output.slice(-4000)}`);
      return fetch(health).then(
        ({ ok, status }) => (healthStatus === undefined ? ok : status === healthStatus),
        () => false,
      );
    },
    { withinMs: 240_000, everyMs: 250 },
  );
  return { output: () => output, kill };
}
