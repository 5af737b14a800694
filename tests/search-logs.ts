/**
 * Searches the logs of a whole run for secrets: `node tests/search-logs.ts FOLDER SUITE…`. Fails if it finds
 * one, or if those suites left fewer logs than they write.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { LOG_KINDS, type LogKind, SECRETS_FILE } from "./support/kept-logs.ts";
import { findSecrets } from "./support/search-logs.ts";

/** Minimum lines of a suite's logs when it runs alone. With fewer lines its logs are somewhere else. */
const LEAST: Readonly<Record<string, Partial<Record<LogKind, number>>>> = {
  project: {},
  simulation: {},
  unit: { api: 1, cli: 20 },
  api: { api: 500 },
  chains: { watch: 20 },
  e2e: { server: 200 },
  "long-unit": {},
  "long-api": {},
  "long-simulation": {},
  "long-chains": { watch: 20 },
  "long-e2e": { server: 20 },
  faults: { server: 20 },
  nodes: { watch: 1 },
  providers: { watch: 1 },
  screens: { server: 1 },
  generators: { api: 1 },
  integrations: { server: 1 },
  packages: {},
  bench: { api: 1 },
};

const [folder = "", ...suites] = process.argv.slice(2);
const secretsFile = join(folder, SECRETS_FILE);
const secrets = existsSync(secretsFile)
  ? [...new Set(readFileSync(secretsFile, "utf8").split("\n"))].filter((secret) => secret !== "")
  : [];
const lines: Record<LogKind, number> = { server: 0, api: 0, watch: 0, cli: 0 };
const problems: string[] = [];
for (const path of globSync("**/*.log", { cwd: folder })) {
  const log = readFileSync(join(folder, path), "utf8");
  const kind = LOG_KINDS.find((one) => basename(path).startsWith(`${one}-`));
  if (kind !== undefined) lines[kind] += log.split("\n").length - 1;
  for (const { line, what, text } of findSecrets(log, secrets))
    problems.push(`${path}:${line} holds ${what}: ${text}`);
}
for (const suite of suites) {
  for (const kind of LOG_KINDS) {
    const least = LEAST[suite]?.[kind] ?? 0;
    if (lines[kind] < least)
      problems.push(`${lines[kind]} lines of ${kind} logs: ${suite} alone writes at least ${least}`);
  }
  if (LEAST[suite] === undefined) problems.push(`what ${suite} writes at least is not known`);
}
// A suite without logs has no secrets either.
const writesLogs = suites.some((suite) => Object.keys(LEAST[suite] ?? {}).length > 0);
if (writesLogs && secrets.length === 0) problems.push("no secret was written down");
const searched = LOG_KINDS.map((kind) => `${lines[kind]} of ${kind}`).join(", ");
console.log(`${secrets.length} known secrets; lines searched: ${searched}`);
for (const problem of problems.slice(0, 50)) console.error(problem);
if (problems.length > 50) console.error(`… and ${problems.length - 50} more`);
process.exit(problems.length === 0 ? 0 : 1);
