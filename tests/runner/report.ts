import { paint } from "#tests/support/paint.ts";
import type { FileResult, TestResult } from "./results.ts";

/** Most milliseconds of one file and of one test of `npm test`, on a machine that does nothing else. */
const BUDGET = { file: 20_000, test: 5_000 };
const BROWSER_BUDGET = { file: 90_000, test: 20_000 };
/** With the other workers, on the same PostgreSQL, a test takes so many times as long as alone. */
const OWN_LOAD = 1.5;
/** Milliseconds of `fixedLoop` on the machine of the budget. */
const LOOP_MS = 100;
/** A machine may be this much slower than that before the budget says nothing any more. */
const SLOWEST_SHOWN = 10;

/** Counts what a run has shown, prints it as it comes, and decides whether the run has passed. */
export class Report {
  readonly #files: FileResult[] = [];
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  /** Adds a check that is no test file. */
  check(name: string, passed: boolean, ms: number, output = ""): void {
    if (passed) this.#passed += 1;
    else this.#failed += 1;
    console.log(`${mark(passed)} ${name} (${ms} ms)`);
    if (!passed) console.log(output);
  }

  /** Adds a test file. A file without a test has failed: otherwise a broken file would pass. */
  add(result: FileResult): void {
    const none = { name: "has a test", ms: 0, status: "failed", error: "The file has no test." } as const;
    const tests = result.tests.length === 0 ? [none] : result.tests;
    this.#files.push({ ...result, tests });
    const failed = tests.filter(({ status }) => status === "failed");
    for (const { name, error } of failed)
      console.log(`${mark(false)} ${result.file}: ${name}\n${error ?? ""}`);
    const passed = tests.filter(({ status }) => status === "passed").length;
    console.log(`${mark(failed.length === 0)} ${result.file} (${passed} passed, ${result.ms} ms)`);
  }

  /** Prints the slowest files. With `limited`, each file and test above the budget fails the run. */
  budget({ limited, factor }: { readonly limited: boolean; readonly factor: number }): void {
    const files = this.#files.toSorted((a, b) => b.ms - a.ms);
    console.log(paint("bold", "the slowest files"));
    for (const { file, ms } of files.slice(0, SLOWEST_SHOWN)) console.log(`${ms} ms ${file}`);
    if (!limited) return;
    console.log(`this machine needs ${factor.toFixed(2)} times as long as that of the budget`);
    const limit = (what: string, ms: number, most: number) => {
      if (ms <= most * factor * OWN_LOAD) return;
      this.#failed += 1;
      console.log(`${mark(false)} ${what} (${ms} ms) is over the budget of ${most} ms`);
    };
    for (const { file, ms, browser, tests } of files) {
      const budget = browser === true ? BROWSER_BUDGET : BUDGET;
      limit(file, ms, budget.file);
      for (const test of tests) limit(`${file}: ${test.name}`, test.ms, budget.test);
    }
  }

  /** Prints the last line. Returns the exit code. A skipped test fails the run unless `allowSkip`. */
  end({ allowSkip }: { readonly allowSkip: boolean }): number {
    const tests = this.#files.flatMap((file) => file.tests);
    const count = (status: TestResult["status"]) => tests.filter((test) => test.status === status).length;
    const passed = this.#passed + count("passed");
    const failed = this.#failed + count("failed");
    const skipped = this.#skipped + count("skipped");
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed > 0 || (skipped > 0 && !allowSkip) || passed === 0 ? 1 : 0;
  }

  /** Reports a program that this machine lacks. */
  missing(problem: string, allowSkip: boolean): void {
    if (allowSkip) this.#skipped += 1;
    else this.#failed += 1;
    console.log(
      paint("red", allowSkip ? `SKIPPED: ${problem}` : `FAIL ${problem} (ALLOW_SKIP=1 skips all tests)`),
    );
  }
}

function mark(passed: boolean): string {
  return passed ? paint("green", "ok  ") : paint("red", "FAIL");
}

/** How much slower this machine is now than that of the budget; at least 1. */
export function measureMachine(): number {
  const started = performance.now();
  fixedLoop();
  return Math.max(1, (performance.now() - started) / LOOP_MS);
}

function fixedLoop(): number {
  let sum = 0;
  for (let i = 0; i < 6_000_000; i++) sum = (sum + i * i) % 1_000_003;
  return sum;
}
