import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from "pino";
import { findOutage } from "#lib/platform/db/availability.ts";
import { getErrorLogContext } from "./log-context.ts";
import { getSafeMessage, serializeError } from "./serialize-error.ts";

/**
 * Opens the log of the process: JSON lines on standard output, or to `to`. Each line has its context
 * (log-context.ts). Errors are redacted (serialize-error.ts). Headers with keys are never logged. While the database is
 * unavailable, its errors are few and short (limitOutageLines).
 */
export function openLog(level: string, to?: DestinationStream): Logger {
  const limitOutages = limitOutageLines();
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    mixin: (fields: object) => getErrorLogContext("err" in fields ? fields.err : undefined),
    serializers: { err: serializeError },
    redact: {
      paths: ["*.apiKey", "*.secret", 'headers["x-api-key"]', 'headers["x-staging-api-key"]'],
      censor: "[redacted]",
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      logMethod(line, method) {
        const limited = limitOutages(line);
        if (limited !== null) method.apply(this, limited);
      },
    },
  };
  return to === undefined ? pino(options) : pino(options, to);
}

/** The arguments of a log method: fields and a message, or other values. */
type Line = Parameters<LogFn>;

const EVERY_MS = 1_000;

/**
 * Returns a filter for lines. While the database is unavailable, every request and every loop fails for the same cause.
 * So a line about such an error becomes one line a second for each cause, without the stack: the cause, what failed
 * first, and the number of lines left out before. All other lines pass. null: leave this line out. `now` is monotonic,
 * in milliseconds.
 */
export function limitOutageLines(now: () => number = () => performance.now()): (line: Line) => Line | null {
  const causes = new Map<string, { nextAt: number; leftOut: number }>();
  return (line) => {
    const [fields, message] = line as readonly unknown[];
    const outage = findOutage((fields as { err?: unknown } | null | undefined)?.err);
    if (outage === null) return line;
    const cause = describeCause(outage);
    const last = causes.get(cause);
    if (last !== undefined && now() < last.nextAt) {
      last.leftOut += 1;
      return null;
    }
    causes.set(cause, { nextAt: now() + EVERY_MS, leftOut: 0 });
    return [{ cause, failed: message, leftOut: last?.leftOut ?? 0 }, "the database is unavailable"];
  };
}

/** A few different texts, so that the map of causes stays small. */
function describeCause(outage: Error & { readonly code?: unknown }): string {
  const message = getSafeMessage({ message: outage.message });
  return outage.code === undefined ? message : `${String(outage.code)} ${message}`.trim();
}
