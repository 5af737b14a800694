import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon, { type Options } from "autocannon";
import { startTestCluster } from "../support/database.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { percentile } from "./report.ts";
import { sized } from "./sized.ts";

const CONNECTIONS = 16;
/** Seconds. A later answer is an error. After the default of 10 it would be one when the machine, not the server, stood still. */
const ANSWER_SECONDS = 60;
/** Milliseconds between two looks whether the time or the amount is over. */
const SAMPLE_MS = sized(1_000, 50);

export interface Load {
  readonly answers: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Repeats a request on 16 connections, or as many as the options say. Any answer but success ends the bench. */
export async function load(options: Options): Promise<Load> {
  const result = await autocannon({
    connections: CONNECTIONS,
    sampleInt: SAMPLE_MS,
    timeout: ANSWER_SECONDS,
    ...options,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${options.url}`);
  }
  const { p50, p99 } = result.latency;
  const answers = result.requests.total;
  return { answers, perSecond: answers / result.duration, p50, p99 };
}

/** How long a round of requests lasts. In the short form it is a count: each round has answers, also on a busy machine. */
export const lasting = (seconds: number): Pick<Options, "duration" | "amount"> =>
  sized({ duration: seconds }, { amount: 20 });

export const median = (figures: readonly number[]): number => percentile(figures, 0.5);

/**
 * Starts the web role and, on the same PostgreSQL (with fsync), the bare Hono routes of the baseline.
 * Everything ends with `stop`, with a failed start, and with this process.
 */
export async function startWithBare(): Promise<{
  stack: Stack;
  bareUrl: string;
  stop(): Promise<void>;
}> {
  const open = new AsyncDisposableStack();
  const stop = () => open.disposeAsync();
  try {
    const cluster = await startTestCluster({ durable: true });
    open.defer(() => cluster.stop());
    process.env.TEST_POSTGRES_URL = cluster.url;
    const stack = await startStack({ ROLES: "web", RATE_LIMIT: "999999/999999", LOG_LEVEL: "warn" });
    open.defer(() => stack.close());
    const bare = fork(join(import.meta.dirname, "bare-hono.ts"), {
      env: { ...process.env, DATABASE_URL: stack.db.url },
    });
    const ended = once(bare, "exit");
    open.defer(async () => {
      bare.kill();
      await ended;
    });
    const [port] = (await Promise.race([once(bare, "message"), ended.then(endedEarly)])) as [number];
    return { stack, bareUrl: `http://127.0.0.1:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function endedEarly(): never {
  throw new Error("the bare routes ended before they were asked anything");
}
