import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Stack } from "../support/stack.ts";

const PRELOAD = join(import.meta.dirname, "./collect-garbage.ts");
/** Options of the server process that allow a garbage collection before its memory is read. */
export const MEASURED = { NODE_OPTIONS: `--import=${PRELOAD}` };

/** The figures of a server process, from its own /metrics. */
export interface ServerFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly cpuSeconds: number;
  /** Since the last reading. */
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

export async function readServer(stack: Stack): Promise<ServerFigures> {
  const text = await (await fetch(new URL("/metrics", stack.baseUrl))).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    residentBytes: value("process_resident_memory_bytes"),
    heapBytes: value("nodejs_heap_size_used_bytes"),
    cpuSeconds: value("process_cpu_seconds_total"),
    loopDelayP99Ms: value("nodejs_eventloop_lag_p99_seconds") * 1_000,
    loopDelayMaxMs: value("nodejs_eventloop_lag_max_seconds") * 1_000,
  };
}

/** The same after a garbage collection. */
export async function readServerAtRest(stack: Stack): Promise<ServerFigures> {
  for (let round = 0; round < 3; round++) {
    process.kill(stack.server().pid, "SIGUSR2");
    await pause(1_000);
  }
  return readServer(stack);
}
