import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import autocannon, { type Options } from "autocannon";
import { startEmbedded } from "#lib/db/embedded.ts";
import { temporaryFolder } from "../support/database.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { percentile } from "./report.ts";

const CONNECTIONS = 16;

export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends a request over and over from 16 connections; anything but success ends the bench. */
export async function load(options: Options): Promise<Load> {
  const result = await autocannon({ connections: CONNECTIONS, ...options });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors at ${options.url}`);
  }
  const { p50, p99 } = result.latency;
  return { perSecond: result.requests.total / result.duration, p50, p99 };
}

export const median = (figures: readonly number[]): number => percentile(figures, 0.5);

/** The web role and, on the same PostgreSQL (with fsync), the bare Hono routes that are its yardstick. */
export async function startBesideBare(): Promise<{
  stack: Stack;
  bareUrl: string;
  stop(): Promise<void>;
}> {
  const folder = temporaryFolder();
  const cluster = await startEmbedded(folder);
  process.env.TEST_POSTGRES_URL = cluster.url;
  const stack = await startStack({ ROLES: "web", RATE_LIMIT: "999999/999999", LOG_LEVEL: "warn" });
  const bare = fork(join(import.meta.dirname, "bare-hono.ts"), {
    env: { ...process.env, DATABASE_URL: stack.db.url },
  });
  const [port] = (await once(bare, "message")) as [number];
  return {
    stack,
    bareUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      bare.disconnect();
      await stack.close();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
