import type { Logger } from "pino";

/** Work still in progress this long after the start of the stop is aborted. */
const DRAIN_MS = 8_000;
/** The time to release aborted work. Then the process ends, even if something hangs. */
const RELEASE_MS = 2_000;
/**
 * Time to write the last log lines, or to find that nothing reads them. Otherwise pino's last try at the
 * exit would never end.
 */
const LAST_WORDS_MS = 50;
/** Ctrl-C under npm arrives twice at once: from the terminal and from npm. */
const SAME_SIGNAL_MS = 500;

/** How to stop the process. If `stop` rejects or takes too long, the exit status is 1 instead of 0. */
interface Stop {
  /** Time before the limits start, in milliseconds. */
  readonly noticeMs: number;
  /** `timeIsUp` aborts when work in progress must be abandoned to other processes. */
  stop(timeIsUp: AbortSignal): Promise<void>;
}

export interface Ending {
  /** Sets how to stop from now on. A later call replaces it. */
  arm(stop: Stop, log: Logger): void;
  /** True once a stop has begun. */
  begun(): boolean;
}

/**
 * Stops this process in order on SIGTERM, SIGINT and the exit of its parent: within ten seconds, and at once
 * on a second signal. Before `arm` is called, a signal ends the process at once.
 */
export function stopOnSignal(): Ending {
  let armed: { stop: Stop; log: Logger } | null = null;
  let begunAt: number | null = null;

  function begin(reason: string): void {
    if (armed === null) process.exit(1);
    const { stop, log } = armed;
    begunAt = performance.now();
    log.info({ signal: reason }, "stopping");
    const timeIsUp = new AbortController();
    setTimeout(() => {
      // Counted from here: the release has its time also after the machine stood still.
      setTimeout(() => endNow("stopping took too long"), RELEASE_MS);
      timeIsUp.abort();
    }, stop.noticeMs + DRAIN_MS);
    stop.stop(timeIsUp.signal).then(
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
  // Another program of this project (the demo, a test) started this process: end with it, even if it was
  // killed.
  if (process.send !== undefined) {
    process.on("disconnect", () => begunAt === null && begin("parent gone"));
  }
  return {
    arm(stop, log) {
      armed = { stop, log };
    },
    begun: () => begunAt !== null,
  };
}

function exit(code: 0 | 1): void {
  setTimeout(() => process.exit(code), LAST_WORDS_MS);
}
