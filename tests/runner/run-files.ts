import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { QUICK_START } from "#tests/support/processes.ts";
import type { FileResult } from "./results.ts";

const ROOT = join(import.meta.dirname, "../..");

export interface FileRun {
  /** Taken one after another from the start. The list is emptied. */
  readonly queue: string[];
  /** How many files run at the same time, each in a worker process. */
  readonly workers: number;
  /** One more worker starts when this ends. */
  readonly before?: Promise<void> | undefined;
  /** True for files that share no worker with others. */
  readonly alone: (file: string) => boolean;
  /** Milliseconds after which a file is stopped. It has then failed. */
  readonly timeoutMs: (file: string) => number;
  readonly report: (result: FileResult) => void;
}

/** Runs all files of the queue with Node's own runner, in workers that each run many files. */
export async function runFiles(run: FileRun): Promise<void> {
  const workers = Array.from({ length: run.workers }, () => work(run));
  if (run.before !== undefined) workers.push(run.before.then(() => work(run)));
  await Promise.all(workers);
}

/** One worker's share. A worker that ends or hangs is replaced, so that it costs one file. */
async function work({ queue, alone, timeoutMs, report }: FileRun): Promise<void> {
  let worker: ChildProcess | null = null;
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    worker ??= await startWorker();
    const started = Date.now();
    const problem = await runFile(worker, file, timeoutMs(file), report);
    if (problem !== null) {
      const tests = [{ name: "the whole file", ms: 0, status: "failed", error: problem } as const];
      report({ file, ms: Date.now() - started, tests });
    }
    if (problem === null && !alone(file) && !(queue[0] !== undefined && alone(queue[0]))) continue;
    await stop(worker);
    worker = null;
  }
  if (worker !== null) await stop(worker);
}

/** Reports the file's result, or returns why there is none. */
async function runFile(
  worker: ChildProcess,
  file: string,
  timeoutMs: number,
  report: FileRun["report"],
): Promise<string | null> {
  const end = new AbortController();
  const { signal } = end;
  const timer = setTimeout(() => end.abort(), timeoutMs);
  try {
    worker.send(join(ROOT, file));
    const [answer] = await Promise.race([
      once(worker, "message", { signal }),
      once(worker, "exit", { signal }).then(([code, by]) => [`The worker ended: ${code ?? by}.`]),
    ]);
    if (typeof answer === "string") return answer;
    report({ ...(answer as FileResult), file });
    return null;
  } catch (error) {
    if (!signal.aborted) throw error;
    return `The file did not end within ${timeoutMs} ms.`;
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

async function startWorker(): Promise<ChildProcess> {
  // A test of this runner is in a run itself. Its workers report to it, not to that run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const worker = fork(join(import.meta.dirname, "worker.ts"), {
    cwd: ROOT,
    env,
    execArgv: [
      ...["--import", join(import.meta.dirname, "find-running-test.ts")],
      ...["--test-reporter", join(import.meta.dirname, "collect-tests.ts")],
      ...QUICK_START,
    ],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(worker, "message");
  return worker;
}

/** Lets the worker end what it shares between files. Kills it if it does not end. */
async function stop(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const ended = once(worker, "exit");
  if (worker.connected) worker.disconnect();
  const timer = setTimeout(() => worker.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}
