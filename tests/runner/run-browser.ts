import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Report } from "./report.ts";
import type { TestResult } from "./results.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A line of tests/e2e/json-lines.ts. */
interface Line {
  readonly file: string;
  readonly title: string;
  readonly project: string;
  readonly ms: number;
  readonly status: "passed" | "failed" | "timedOut" | "skipped" | "interrupted";
  readonly error: string;
}

export interface BrowserRun {
  /** Relative to the project's folder. */
  readonly config: string;
  /** Only files whose path contains one of these. Empty: all. */
  readonly files: readonly string[];
  readonly workers: number;
}

/** Runs browser tests with Playwright's own runner, and reports them by file when all have ended. */
export async function runBrowser({ config, files, workers }: BrowserRun, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-browser-"));
  const path = join(folder, "results");
  const started = Date.now();
  const program = join(ROOT, "node_modules/@playwright/test/cli.js");
  const child = spawn(process.execPath, [program, "test", "-c", config, `--workers=${workers}`, ...files], {
    cwd: ROOT,
    env: { ...process.env, E2E_RESULTS: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, output, errors] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  const lines = existsSync(path) ? readLines(path) : [];
  rmSync(folder, { recursive: true });
  for (const [file, tests] of Map.groupBy(lines, ({ file }) => file)) {
    const ms = tests.reduce((sum, test) => sum + test.ms, 0);
    report.add({ file, ms, browser: true, tests: tests.map(resultOf) });
  }
  // A failure outside of tests: a set-up, a file that cannot be loaded, no test at all.
  const failed = lines.some(({ status }) => resultOf({ status } as Line).status === "failed");
  if ((code !== 0 && !failed) || lines.length === 0)
    report.check(config, false, Date.now() - started, `${output}\n${errors}`);
}

function readLines(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
}

function resultOf({ title, project, ms, status, error }: Line): TestResult {
  const name = `${title} (${project})`;
  if (status === "passed" || status === "skipped") return { name, ms, status };
  return { name, ms, status: "failed", error };
}
