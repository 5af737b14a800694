/** Node's runner loads this file as the reporter of a worker (`--test-reporter`), which is how a worker gets its results. */
import { Transform } from "node:stream";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { TestResult } from "./results.ts";

interface Collection {
  readonly path: string;
  readonly tests: TestResult[];
  readonly finish: (tests: readonly TestResult[]) => void;
}

let current: Collection | null = null;

/** The results of the suite with this name, when it has ended. */
export function collectTests(path: string): Promise<readonly TestResult[]> {
  return new Promise((finish) => {
    current = { path, tests: [], finish };
  });
}

/** Prints nothing. */
export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    if (current !== null) collect(current, event);
    done();
  },
});

function collect({ path, tests, finish }: Collection, event: TestEvent): void {
  if (event.type !== "test:pass" && event.type !== "test:fail") return;
  const { name, nesting, details, skip, todo } = event.data;
  const ms = Math.round(details.duration_ms);
  if (event.type === "test:fail") {
    // A suite has no result of its own, unless it is broken outside of its tests.
    const { error } = event.data.details;
    if (details.type !== "suite" || failureOf(error) !== "subtestsFailed")
      tests.push({ name, ms, status: "failed", error: inspect(error.cause ?? error, { depth: 8 }) });
  } else if (details.type !== "suite") {
    const left = [skip, todo].some((reason) => reason !== undefined && reason !== false);
    tests.push({ name, ms, status: left ? "skipped" : "passed" });
  }
  if (nesting === 0 && name === path) finish(tests);
}

function failureOf(error: Error): unknown {
  return (error as { failureType?: unknown }).failureType;
}
