/**
 * `npm test` and `npm run test:all`. docs/develop.md says what each of them runs. The words after the command choose:
 *
 * - `all`: also what takes long (tests/long). `rest`: only that, after `npm test` has passed.
 * - names of suites (`unit`, `chains` …): these only, without the checks. Some run only by their names.
 * - any other word: only files whose path contains it.
 *
 * `SHUFFLE=7` starts the files in another order, the same one for each number. A program that this machine lacks fails
 * the run, unless ALLOW_SKIP=1. No test runs a second time.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare } from "./runner/prepare.ts";
import { measureMachine, Report } from "./runner/report.ts";
import { runBrowser } from "./runner/run-browser.ts";
import { runFiles } from "./runner/run-files.ts";
import { findSuites, type Suite } from "./runner/suites.ts";
import { startTestCluster } from "./support/database.ts";

const ROOT = join(import.meta.dirname, "..");
const CHECKS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ["types", process.execPath, "node_modules/typescript-native/bin/tsc", "--noEmit"],
  ["format and lint", "biome", "check", "--error-on-warnings", "."],
  ["imports, with planted violations", process.execPath, "tests/check-imports.ts"],
  ["function sizes, with planted violations", process.execPath, "tests/check-functions.ts"],
  ["words of the glossary, with planted violations", process.execPath, "tests/check-words.ts"],
];
/** One more than the cores of the machine that the budget is for: a file waits for a database, a node or a browser a third of its time. */
const WORKERS = 3;
const allowSkip = process.env.ALLOW_SKIP === "1";
const report = new Report();

function check(name: string, program: string, ...args: string[]): Promise<boolean> {
  const started = Date.now();
  return new Promise((resolve) => {
    execFile(program, args, { cwd: ROOT, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      report.check(name, error === null, Date.now() - started, `${stdout}\n${stderr}`);
      resolve(error === null);
    });
  });
}

/** The files of a suite in their order, or in one that depends on SHUFFLE. */
function listFiles({ folders }: Suite, words: readonly string[]): string[] {
  const seed = process.env.SHUFFLE;
  const rank = (path: string) =>
    seed === undefined ? path : createHash("sha256").update(`${seed} ${path}`).digest("hex");
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }))
    .filter((path) => words.every((word) => path.includes(word)))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/**
 * Runs suites of Node's runner and those with a browser. The quick ones with a browser run next to the files of Node's runner, as one of
 * the workers: its server, nodes and database then start once. The long ones run after those files.
 */
async function runSuites(suites: readonly Suite[], words: readonly string[]): Promise<void> {
  const browser = suites.filter((suite) => suite.browser !== undefined);
  const others = suites.filter((suite) => suite.browser === undefined);
  const suiteOf = new Map(others.flatMap((suite) => listFiles(suite, words).map((file) => [file, suite])));
  const queue = [...suiteOf.keys()];
  const isNext = ({ when }: Suite) => when === "quick" && queue.length > 0;
  const runThose = async (those: readonly Suite[], workers: number) => {
    for (const { browser: config = "" } of those) await runBrowser({ config, files: words, workers }, report);
  };
  const next = browser.filter(isNext);
  const rest = browser.filter((suite) => !next.includes(suite));
  await runFiles({
    queue,
    workers: next.length > 0 ? WORKERS - 1 : WORKERS,
    before: next.length > 0 ? runThose(next, 1) : undefined,
    alone: (file) => suiteOf.get(file)?.when !== "quick",
    timeoutMs: (file) => suiteOf.get(file)?.timeoutMs ?? 0,
    report: (result) => report.add(result),
  });
  await runThose(rest, WORKERS);
}

async function searchLogs(folder: string, suites: readonly Suite[]): Promise<void> {
  const names = suites.map(({ name }) => name);
  const args = ["tests/search-logs.ts", folder, ...names];
  if (await check("nothing secret in the logs of this run", process.execPath, ...args))
    rmSync(folder, { recursive: true });
  else console.log(`the logs are in ${folder}`);
}

async function main(given: readonly string[]): Promise<number> {
  const factors = [measureMachine()];
  // Also in the middle: the workers, or others on this machine, leave less of it.
  setInterval(() => factors.push(measureMachine()), 30_000).unref();
  const { suites, words, whole } = findSuites(given);
  if (whole !== null && whole !== "rest") await Promise.all(CHECKS.map((one) => check(...one)));
  const logs = mkdtempSync(join(tmpdir(), "paylink-logs-"));
  process.env.STACK_LOG_DIR = logs;
  // In a whole run the failure scenarios are short. A run of the suite alone has the full length.
  if (whole !== null) process.env.FAULTS ??= "short";
  const needs = (need: keyof Suite["needs"]) => suites.some((suite) => suite.needs[need] === true);
  const problems = await prepare({
    chains: needs("chains"),
    page: needs("page"),
    browser: needs("browser"),
    dumps: needs("dumps"),
    patroni: needs("patroni"),
  });
  for (const problem of problems) report.missing(problem, allowSkip);
  if (problems.length === 0) {
    const cluster = await startTestCluster();
    process.env.TEST_POSTGRES_URL = cluster.url;
    await runSuites(suites, words);
    await cluster.stop();
    // Some files alone write fewer lines than the check wants to see.
    if (words.length === 0) await searchLogs(logs, suites);
    else rmSync(logs, { recursive: true });
  }
  report.budget({ limited: whole === "quick", factor: Math.max(...factors) });
  return report.end({ allowSkip });
}

process.exit(await main(process.argv.slice(2)));
