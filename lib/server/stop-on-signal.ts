import type { Logger } from "pino";

/** What is still under way this long after the stop began is broken off. */
const DRAIN_MS = 8_000;
/** Then the process ends, whatever still hangs. */
const LONGEST_MS = 10_000;
/**
 * For the last lines of the log to be written, or found to have no reader: pino's last try at the exit itself would go on
 * for ever then.
 */
const LAST_WORDS_MS = 50;
/** Ctrl-C under npm arrives twice at once: from the terminal, and from npm. */
const SAME_SIGNAL_MS = 500;

/** How to stop what runs. Rejects, or takes longer than it may: the process ends with 1 instead of 0. */
export interface Stop {
  /** Time before it, in milliseconds, that is not counted. */
  readonly noticeMs: number;
  /** `timeIsUp` aborts when what is still under way must be broken off and left to other processes. */
  stop(timeIsUp: AbortSignal): Promise<void>;
}

/**
 * Ends this process in order on SIGTERM, SIGINT, and the end of a parent that speaks to it: within ten seconds whatever
 * hangs, at once on a second signal. Until it is `armed` there is nothing to do in order, and a signal ends it at once.
 */
export function stopOnSignal(): { arm(stop: Stop, log: Logger): void } {
  let armed: { stop: Stop; log: Logger } | null = null;
  let begunAt: number | null = null;

  function begin(reason: string): void {
    if (armed === null) process.exit(1);
    const { stop, log } = armed;
    begunAt = performance.now();
    log.info({ signal: reason }, "stopping");
    const { noticeMs } = stop;
    setTimeout(() => endNow("stopping took too long"), noticeMs + LONGEST_MS);
    stop.stop(AbortSignal.timeout(noticeMs + DRAIN_MS)).then(
      () => exit(0),
      (error: unknown) => endNow("stopping failed", error),
    );
  }

  function endNow(why: string, err?: unknown): void {
    armed?.log.error({ err }, `${why}: ending at once`);
    exit(1);
  }

  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      if (begunAt === null) begin(signal);
      else if (performance.now() - begunAt > SAME_SIGNAL_MS) endNow(`${signal} came again`);
    });
  }
  // Started by another program of ours (the demo, a test): end with it, even when it was killed.
  if (process.send !== undefined) {
    process.on("disconnect", () => begunAt === null && begin("parent gone"));
  }
  return {
    arm(stop, log) {
      armed = { stop, log };
    },
  };
}

function exit(code: 0 | 1): void {
  setTimeout(() => process.exit(code), LAST_WORDS_MS);
}
