import { paint } from "../support/paint.ts";

export interface Goal {
  readonly text: string;
  readonly met: boolean;
}

/** A measured figure of a bench. A ratio compares two sides of the same run, so other work on the machine changes it little. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly isRatio: boolean;
  readonly goal?: Goal;
}

let figures: Figure[] = [];

/** Prints one line of figures, and whether the goal was met if there is one. */
export function report(what: string, figure: string, goal?: Goal): void {
  add({ what, figure, isRatio: false, ...(goal && { goal }) });
}

/** Prints a ratio as `report` prints a figure. */
export function reportRatio(what: string, ratio: number, goal?: Goal): void {
  add({ what, figure: ratio.toFixed(2), isRatio: true, ...(goal && { goal }) });
}

/** Returns the figures since the last call. */
export function takeFigures(): readonly Figure[] {
  const taken = figures;
  figures = [];
  return taken;
}

/** The value below which `share` of the figures are. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

function add(one: Figure): void {
  const { what, figure, goal } = one;
  // A bench that measures nothing any more ends here.
  if (figure.includes("NaN")) throw new Error(`${what} was not measured`);
  figures.push(one);
  const goalText =
    goal === undefined
      ? ""
      : goal.met
        ? paint("green", `  goal ${goal.text}: met`)
        : paint("red", `  goal ${goal.text}: MISSED`);
  console.log(`  ${what.padEnd(58)} ${figure.padStart(14)}${goalText}`);
}
