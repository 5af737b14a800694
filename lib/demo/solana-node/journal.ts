import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

/** What the chain must find again after a kill: LiteSVM does the same once more. Transactions in base64. */
export type JournalEntry =
  | { readonly kind: "waiting"; readonly transactions: readonly string[] }
  | {
      readonly kind: "block";
      readonly slot: number;
      readonly time: number;
      readonly transactions: readonly string[];
    };

/** An append-only file of one JSON line per entry (none: nothing is kept). A last line that a kill cut short is taken off. */
export function openJournal(path: string | null): {
  readonly entries: readonly JournalEntry[];
  append(entry: JournalEntry): void;
} {
  if (path === null) return { entries: [], append: () => {} };
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
  return {
    entries: whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as JournalEntry),
    append: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
  };
}
