import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";

/** What the emulator must find again after a kill. The blocks themselves are anvil's to keep. */
export type JournalEntry =
  | {
      readonly kind: "broadcast";
      readonly rawHex: string;
      readonly signatures: readonly string[];
      /** The head when it came: it stands in no block up to here. */
      readonly height: number;
    }
  /** It was executed, as this transaction of the EVM. */
  | { readonly kind: "included"; readonly txId: string; readonly evmHash: string }
  /** It will not be executed any more. */
  | { readonly kind: "dropped"; readonly txId: string };

export interface Journal {
  readonly entries: readonly JournalEntry[];
  append(entry: JournalEntry): void;
}

/** An append-only file of one JSON line per entry (none: nothing is kept). A last line that a kill cut short is taken off. */
export function openJournal(path: string | null): Journal {
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
