import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

/** The state that a development chain must restore after a kill. */
export interface Journal<Entry> {
  /** The entries at the time of opening, in order. */
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
}

/**
 * Opens an append-only file with one line of JSON per entry. Without a path nothing is kept. An incomplete
 * last line is removed.
 */
export function openJournal<Entry>(path: string | null): Journal<Entry> {
  if (path === null) return { entries: [], append: () => {} };
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
  return {
    entries: whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Entry),
    append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
  };
}
