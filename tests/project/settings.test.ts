/** The table of variables is complete, and the pages that are printed from it are fresh. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseEnv } from "node:util";
import { VARIABLE_NAMES } from "#lib/server/variables/names.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { SURROUNDING_VARIABLES } from "#lib/server/variables/surrounding-variables.ts";
import { writeExample, writeSettings } from "../write-settings.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The files that run in an installation or in the demo. */
const SOURCES = [
  "lib",
  "app",
  "components",
  "packages",
  ":(glob)*.ts",
  ":(glob)*.mjs",
  "Dockerfile",
  "compose.yaml",
];
const sources = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...SOURCES],
  { cwd: ROOT, encoding: "utf8" },
)
  .split("\n")
  .filter((path) => /\.(ts|tsx|mjs|yaml)$|^Dockerfile$/.test(path) && existsSync(join(ROOT, path)))
  .map((path) => ({ path, text: read(path) }));

/** Variables that are not ours: the system's, systemd's, Node's and Next's. */
const FOREIGN = new Set(
  "PATH HOME USER SUDO_USER CREDENTIALS_DIRECTORY NODE_ENV NEXT_TELEMETRY_DISABLED".split(" "),
);

/** The variables that a program reads: env.NAME, env["NAME"], const { NAME } = process.env. */
function findReads(text: string): string[] {
  const taken = [...text.matchAll(/\{([^{}]*)\}\s*=\s*(?:\w+\.)*env\b/g)].flatMap(([, names = ""]) =>
    names.split(",").flatMap((part) => /^\s*([A-Z][A-Z0-9_]+)\b/.exec(part)?.[1] ?? []),
  );
  const named = [...text.matchAll(/\benv(?:\??\.|\[["'`])([A-Z][A-Z0-9_]+)/g)].map(([, name = ""]) => name);
  return [...taken, ...named];
}

/** The variables that compose.yaml puts into its values: ${NAME}. */
const findSubstitutions = (text: string) => [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name);

test("every variable that the code reads is in the table", () => {
  const known = new Set([...VARIABLE_NAMES, ...FOREIGN]);
  const missing = sources.flatMap(({ path, text }) =>
    (path.endsWith(".yaml") ? findSubstitutions(text) : findReads(text))
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(missing, []);
  const planted = 'const { A_B = 1, c } = process.env; env["D_E"]; cli.env.F_G;';
  assert.deepEqual(findReads(planted), ["A_B", "D_E", "F_G"]);
});

test("every variable of the table is read outside of it", () => {
  const code = sources
    .filter(({ path }) => !path.startsWith("lib/server/variables/"))
    .map(({ text }) => text)
    .join("\n");
  const words = new Set(code.match(/\b[A-Z][A-Z0-9_]+\b/g));
  const names = [...Object.keys(PROGRAM_VARIABLES), ...Object.keys(SURROUNDING_VARIABLES)];
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

test("docs/operate/settings.md is what `npm run -s settings` prints", () => {
  assert.equal(read("docs/operate/settings.md"), writeSettings());
});

test(".env.example has ten lines, sets nothing, and is what `npm run -s settings -- --example` prints", () => {
  const text = read(".env.example");
  assert.equal(text, writeExample());
  assert.equal(text.trimEnd().split("\n").length, 10);
  const entries = Object.entries(parseEnv(text));
  assert.ok(entries.length > 3);
  assert.deepEqual(
    entries.filter(([name, value]) => value !== "" || !VARIABLE_NAMES.includes(name)),
    [],
  );
});
