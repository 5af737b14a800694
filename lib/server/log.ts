import { type Logger, pino } from "pino";

/** The process's log: JSON lines on standard output. Key headers never reach it. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    redact: {
      paths: ["*.apiKey", "*.secret", 'headers["x-api-key"]', 'headers["x-staging-api-key"]'],
      censor: "[redacted]",
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
