import { type DestinationStream, type Logger, pino } from "pino";
import { getErrorLogContext } from "./log-context.ts";
import { serializeError } from "./serialize-error.ts";

/**
 * Opens the log of the process: JSON lines on standard output, or to `to`. Each line has its context
 * (log-context.ts). Errors are redacted (serialize-error.ts). Headers with keys are never logged.
 */
export function openLog(level: string, to?: DestinationStream): Logger {
  const options = {
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
  };
  return to === undefined ? pino(options) : pino(options, to);
}
