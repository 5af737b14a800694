/** Results of a run, by file. */
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
  /** Played in a browser, where blocks, pages and countdowns take their time. */
  readonly browser?: true;
  readonly tests: readonly TestResult[];
}
