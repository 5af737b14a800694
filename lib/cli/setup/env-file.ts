import { readFileSync, renameSync, writeFileSync } from "node:fs";
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

/** As docs/operate/install.md says: in single quotes where a program might read it otherwise. */
function formatLine(name: string, value: string): string {
  return /^[\w@%+=:,./?&<>[\]() -]*$/.test(value) && value === value.trim()
    ? `${name}=${value}`
    : `${name}='${value}'`;
}

/** Writes the file, which only its owner may read. A reader finds the old text or the new one. */
export function writeEnvFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
