import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { getErrorLogContext } from "./log-context.ts";
import { limitOutageLines } from "./outage-lines.ts";
import { serializeError } from "./serialize-error.ts";

/**
 * Opens the log of the process: JSON lines on standard output, or to `to`. Each line has its context
 * (log-context.ts). Errors are redacted (serialize-error.ts). Headers with keys are never logged. While the database is
 * unavailable, its errors are few and short (outage-lines.ts).
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
