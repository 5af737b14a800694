/** Node's runner loads this file as the reporter of a worker (`--test-reporter`), which is how a worker gets its results. */
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

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<never> {
  for await (const event of events) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, details, skip, todo } = event.data;
    if (current === null) continue;
    const isFile = event.data.nesting === 0 && name === current.path;
    // A suite has no result of its own, unless it is broken outside of its tests.
    const broken = event.type === "test:fail" && !isCausedBySubtests(details.error);
    if (details.type !== "suite" || broken) {
      const left = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
      current.tests.push({
        name,
        ms: Math.round(details.duration_ms),
        status: event.type === "test:fail" ? "failed" : left ? "skipped" : "passed",
        ...(event.type === "test:fail" ? { error: textOf(details.error) } : {}),
      });
    }
    if (isFile) current.finish(current.tests);
  }
}

function isCausedBySubtests(error: unknown): boolean {
  return (error as { failureType?: string }).failureType === "subtestsFailed";
}

/** The whole error, with nested causes. */
function textOf(error: unknown): string {
  return inspect((error as { cause?: unknown }).cause ?? error, { depth: 8 });
}
