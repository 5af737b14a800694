import type { Logger } from "pino";
import { type Clock, callLater, clockOf } from "#lib/platform/clock.ts";

/** Deletes old rows in rounds. False if `until` aborted before the last. */
export type ForgetJob = (now: Date, until: AbortSignal) => Promise<boolean>;

/**
 * The time of all jobs of a task together. With the pause between two runs it is less than what alerts allow a task
 * (docs/operate/monitoring.md).
 */
const MOST_MS = 240_000;

/** Runs jobs that delete old rows one after the other. Each has its part of the time, and continues in the next run. */
export async function forgetOld(
  task: string,
  jobs: readonly ForgetJob[],
  { log, stopping, ...clock }: { readonly log: Logger; readonly stopping: AbortSignal } & Partial<Clock>,
): Promise<void> {
  for (const job of jobs) {
    const time = new AbortController();
    const cancel = callLater(clockOf(clock), MOST_MS / jobs.length, () => time.abort());
    const until = AbortSignal.any([stopping, time.signal]);
    const isDone = await job(clockOf(clock).now(), until).finally(cancel);
    if (!isDone && !stopping.aborted) log.warn({ task }, "more old rows than one run deletes");
  }
}
