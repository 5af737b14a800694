import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

/** What a development chain must find again after a kill. */
export interface Journal<Entry> {
  /** What stood in it when it was opened, in order. */
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
}

/** An append-only file of one JSON line per entry (none: nothing is kept). A last line that a kill cut short is taken off. */
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
