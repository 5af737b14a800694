import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";

export interface ServerProcess {
  readonly pid: number;
  /** Resolves with the exit code when the process has ended for any reason. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/**
 * Starts `npm start` (both roles, or those of ROLES) as a child that ends with this process. Its log goes to
 * `logPath`. Resolves once it is ready. Throws its last output if it ends before.
 */
export async function startServer(env: Record<string, string>, logPath: string): Promise<ServerProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, "../server/main.ts"), {
    env: { NODE_ENV: "production", PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C in a terminal reaches the whole process group. We stop the child in order.
    detached: true,
  });
  const log = createWriteStream(logPath, { flags: "a", mode: 0o600 });
  let lastWords = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-4_000);
      log.write(chunk);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("error", reject);
    ended.then((code) => {
      const taken = lastWords.includes("EADDRINUSE");
      const cause = taken ? `port ${env.PORT} is taken` : `it ended with code ${code}:\n${lastWords}`;
      reject(new Error(`The server did not start: ${cause}`));
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    log.end();
  };
  return { pid: child.pid ?? 0, ended, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}
