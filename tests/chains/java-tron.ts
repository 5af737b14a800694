import { readFileSync } from "node:fs";

export interface RecordedCase {
  readonly request: { readonly path: string; readonly body?: unknown; readonly raw?: string };
  readonly status: number;
  readonly answer: unknown;
}

/** Reads the answers of java-tron 4.8.0, by case. `written` changes the file's text, without spaces, before it is read. */
export function readJavaTron(written: (text: string) => string = (text) => text) {
  const file = new URL("recorded/java-tron-4.8.0.json", import.meta.url);
  const compact = JSON.stringify(JSON.parse(readFileSync(file, "utf8")));
  const text = compact.replaceAll("(512 zeros)", "0".repeat(512));
  return (JSON.parse(written(text)) as { cases: Readonly<Record<string, RecordedCase>> }).cases;
}
