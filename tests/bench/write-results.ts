import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import type { Figure } from "./report.ts";

const PAGE = join(import.meta.dirname, "../../docs/performance.md");
/** Other work on the machine, for each core, above which only ratios say something. */
const MOST_LOAD = 0.25;

/** The machine and the time of a run, before it begins. */
export interface RunMark {
  readonly machine: string;
  readonly date: string;
  readonly isBusy: boolean;
}

/** Reads what the machine is, and whether it does other work now. */
export function markRun(): RunMark {
  const cores = availableParallelism();
  const load = loadavg()[0] ?? 0;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  const isBusy = load > MOST_LOAD * cores;
  const rest = isBusy ? `, load ${load.toFixed(1)} of other work: ratios only` : "";
  const machine = `${cores} cores of ${model}, ${memory}, Node ${process.versions.node}${rest}`;
  return { machine, date: new Date().toISOString().slice(0, 10), isBusy };
}

/** Replaces the section of a bench in docs/performance.md. */
export function writeResults(name: string, figures: readonly Figure[], mark: RunMark): void {
  const page = readFileSync(PAGE, "utf8");
  writeFileSync(PAGE, replaceSection(page, name, composeSection(name, figures, mark)));
}

/** Returns the section of a bench: command, machine and date, then its ratios, then its other figures if the machine was quiet. */
export function composeSection(name: string, figures: readonly Figure[], mark: RunMark): string {
  const ratios = figures.filter(({ isRatio }) => isRatio);
  const others = mark.isBusy ? [] : figures.filter(({ isRatio }) => !isRatio);
  const rows = [...ratios, ...others].map(
    ({ what, figure, goal }) =>
      `| ${what} | ${figure} | ${goal ? `${goal.text}${goal.met ? "" : ": missed"}` : ""} |`,
  );
  const table = rows.length > 0 ? ["", "| Figure | Measured | Goal |", "|---|---|---|", ...rows] : [];
  return [`## ${name}`, "", `\`npm run bench -- ${name}\`, ${mark.date}, ${mark.machine}`, ...table, ""].join(
    "\n",
  );
}

/** Returns the page with the section of this heading replaced, or with it at the end where there is none. */
export function replaceSection(page: string, name: string, section: string): string {
  const from = `${page}\n`.indexOf(`\n## ${name}\n`);
  if (from === -1) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf("\n## ", from + 1);
  return `${page.slice(0, from + 1)}${section}${next === -1 ? "" : page.slice(next)}`;
}
