import { type DestinationStream, type Logger, pino } from "pino";
import { getErrorLogContext } from "./log-context.ts";
import { serializeError } from "./serialize-error.ts";

/**
 * The process's log: JSON lines on standard output, or where `to` writes them. Each says what it is about (about.ts) and
 * shows of an error what may be shown (show-error.ts). Key headers never reach it.
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
