/** What a run found, by file. */
export interface TestResult {
  readonly name: string;
  readonly ms: number;
  readonly status: "passed" | "failed" | "skipped";
  readonly error?: string;
}

export interface FileResult {
  /** Relative to the project's folder. */
  readonly file: string;
  readonly ms: number;
  /** CPU of the worker, without that of processes that the file started. */
  readonly cpuMs: number;
  readonly tests: readonly TestResult[];
}
