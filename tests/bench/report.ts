import { paint } from "../support/paint.ts";

/** Prints one line of figures, and whether the goal was met if there is one. */
export function report(what: string, figure: string, goal?: { text: string; met: boolean }): void {
  const goalText =
    goal === undefined
      ? ""
      : goal.met
        ? paint("green", `  goal ${goal.text}: met`)
        : paint("red", `  goal ${goal.text}: MISSED`);
  console.log(`  ${what.padEnd(58)} ${figure.padStart(14)}${goalText}`);
}

/** The value below which `share` of the figures are. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
