import { type PageWatchStatus, watchStatusDiffers } from "./rules.ts";

/** The least time between a rendering and the next refresh: the page and the report may be one pass apart. */
const MIN_INTERVAL_MS = 5_000;

/**
 * Browser side of the watch status. Calls `refresh` when the server's report differs from what the page shows. All
 * pages of a network receive the report at the same time, so that each page waits a random part of `spreadMs`.
 */
export function followWatchStatus(options: { watchStatus(): PageWatchStatus; refresh(): void }) {
  let report: { unwatched: readonly string[]; spreadMs: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const differs = () => report !== null && watchStatusDiffers(options.watchStatus(), report.unwatched);

  function scheduleRefresh(atLeastMs: number): void {
    if (report === null || !differs()) return;
    clearTimeout(timer);
    timer = setTimeout(() => differs() && options.refresh(), atLeastMs + Math.random() * report.spreadMs);
  }

  return {
    /** Handles a report of the server. */
    receive(unwatched: unknown, spreadMs: unknown): void {
      if (!Array.isArray(unwatched) || typeof spreadMs !== "number") return;
      // For a repeated report the refresh is already scheduled.
      if (report !== null && report.unwatched.join() === unwatched.join()) return;
      report = { unwatched: unwatched.map(String), spreadMs };
      scheduleRefresh(0);
    },
    /** Discards the report when the connection ends. */
    reset(): void {
      report = null;
    },
    /** Call it after each rendering. */
    rendered: () => scheduleRefresh(MIN_INTERVAL_MS),
    stop: () => clearTimeout(timer),
  };
}
