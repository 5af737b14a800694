import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The variables of a file by their names, and its text. Null: there is no such file. Throws if it cannot be read. */
export function readEnvFile(path: string): { readonly text: string; readonly values: Variables } | null {
  try {
    const text = readFileSync(path, "utf8");
    return { text, values: parseEnv(text) as Variables };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export type Variables = Readonly<Record<string, string>>;

/** Sets variables in the text of a file: each in the place that it has, or at the end. All other lines stay. */
export function mergeEnv(text: string, values: Variables): string {
  const left = new Map(Object.entries(values));
  const lines = text.split("\n").flatMap((line) => {
    const [, name = ""] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line) ?? [];
    const value = values[name];
    if (value === undefined) return [line];
    const isFirst = left.delete(name);
    return isFirst ? [formatLine(name, value)] : [];
  });
  const kept = lines.join("\n").replace(/\n*$/, "");
  const added = [...left].map(([name, value]) => formatLine(name, value));
  return `${[...(kept === "" ? [] : [kept]), ...added].join("\n")}\n`;
}

/** In quotes where a program might read the value otherwise: docs/operate/install.md. */
function formatLine(name: string, value: string): string {
  const isPlain = /^[\w@%+=:,./?&<>[\]() -]*$/.test(value) && value === value.trim();
  const quote = value.includes("'") ? '"' : "'";
  return isPlain ? `${name}=${value}` : `${name}=${quote}${value}${quote}`;
}

/** Writes the file, which only its owner may read. It may be a link, and another user's: both stay. */
export function writeEnvFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}
