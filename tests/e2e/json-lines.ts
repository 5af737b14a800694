import { appendFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Writes one line of JSON for each test into the file that E2E_RESULTS names, for tests/run.ts. */
export default class JsonLines implements Reporter {
  readonly #path = process.env.E2E_RESULTS;

  onBegin(): void {
    if (this.#path) writeFileSync(this.#path, "");
  }

  onTestEnd(test: TestCase, { duration, status, errors }: TestResult): void {
    if (!this.#path) return;
    const [, project, , ...titles] = test.titlePath();
    const line = {
      file: relative(ROOT, test.location.file),
      title: titles.join(" › "),
      project,
      ms: duration,
      status,
      error: errors.map(({ stack, message, value }) => stack ?? message ?? value).join("\n"),
    };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
