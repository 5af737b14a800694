/**
 * Logs of a whole run, for tests/search-logs.ts. When tests/run.ts has set a folder (STACK_LOG_DIR), the
 * logs of processes and APIs are stored there, with a list of the secrets that they received.
 */
import { appendFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { openLog } from "#lib/platform/log/open-log.ts";

const FOLDER = process.env.STACK_LOG_DIR ?? null;
/** One secret a line. */
export const SECRETS_FILE = "secrets.txt";
/** Shorter ones appear in lines by chance. */
const SHORTEST_SECRET = 8;

/** The process that wrote a log: the first part of its file's name. */
export const LOG_KINDS = ["server", "api", "watch", "cli"] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/**
 * Path of a new log of a process: in the folder of the run, otherwise in the test's own folder. Each log has
 * its own path.
 */
export function serverLog(own: string, name: string): string {
  return join(FOLDER === null ? own : mkdtempSync(join(FOLDER, "process-")), `server-${name}.log`);
}

/** Stores what this process, or a command that it ran, has logged. */
export function keepLog(kind: LogKind, text: string): void {
  if (FOLDER !== null && text !== "") appendFileSync(join(FOLDER, `${kind}-${process.pid}.log`), text);
}

/** The log of watchers within a test's own process: kept in a whole run, else silent or of TEST_LOG's level. */
export function watchLog(): Logger {
  if (FOLDER === null) return pino({ level: process.env.TEST_LOG ?? "silent" });
  return openLog("debug", { write: (line: string) => keepLog("watch", line) });
}

/** These must be in no log of the run. */
export function keepSecrets(...secrets: readonly string[]): void {
  const lines = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).map((secret) => `${secret}\n`);
  if (FOLDER !== null && lines.length > 0)
    appendFileSync(join(FOLDER, SECRETS_FILE), [...new Set(lines)].join(""));
}

/** The secret variables that a process is started with. */
export function keepSecretsOf(env: Readonly<Record<string, string | undefined>>): void {
  keepSecrets(...Object.entries(env).flatMap(([name, text = ""]) => secretsIn(name, text)));
}

function secretsIn(name: string, text: string): string[] {
  if (name === "SECRET_KEY_PREVIOUS") return text.split(",");
  if (name === "SECRET_KEY" || /_TOKEN$/.test(name)) return [text];
  if (/_RPC_HEADERS$/.test(name))
    return text.split(/[,;]/).map((one) => one.slice(one.indexOf(":") + 1).trim());
  if (!/_URL$/.test(name)) return [];
  return text.split(/[\s,]+/).flatMap((one) => {
    if (!URL.canParse(one)) return [];
    const { protocol, password, pathname, search } = new URL(one);
    // For a database the path is its name. In our own PUBLIC_URL nothing is secret.
    const key = protocol.startsWith("http") && /RPC/.test(name) ? `${pathname}${search}`.slice(1) : "";
    return [decodeURIComponent(password), key];
  });
}
