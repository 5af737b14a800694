import { type PageWatchStatus, watchStatusDiffers } from "./rules.ts";

/** A page that differs from what it was told draws itself anew no sooner: the two may be a look apart. */
const STEP_MS = 5_000;

/**
 * Browser side of what is told of unwatched networks: calls `renew` when the server has said something else about the page's networks than the page
 * says. All pages of a network are told at the same moment, so each takes a moment of its own.
 */
export function followWatchStatus(options: { sight(): PageWatchStatus; renew(): void }) {
  let told: { unwatched: readonly string[]; spreadMs: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const differs = () => told !== null && watchStatusDiffers(options.sight(), told.unwatched);

  function compare(atLeastMs: number): void {
    if (told === null || !differs()) return;
    clearTimeout(timer);
    timer = setTimeout(() => differs() && options.renew(), atLeastMs + Math.random() * told.spreadMs);
  }

  return {
    hear(unwatched: unknown, spreadMs: unknown): void {
      if (!Array.isArray(unwatched) || typeof spreadMs !== "number") return;
      // Heard again: the page's moment is chosen already.
      if (told !== null && told.unwatched.join() === unwatched.join()) return;
      told = { unwatched: unwatched.map(String), spreadMs };
      compare(0);
    },
    /** The connection is gone, and with it what was told. */
    forget(): void {
      told = null;
    },
    /** The page shows something else than before. */
    drawn: () => compare(STEP_MS),
    stop: () => clearTimeout(timer),
  };
}
