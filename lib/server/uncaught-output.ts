import { format } from "node:util";
import type { Logger } from "pino";
import { redactSecrets } from "#lib/platform/log/serialize-error.ts";

/**
 * Logs uncaught errors and the output of libraries, with the same redaction as other lines. An unhandled
 * rejection is harmless (Next has them by design). After an uncaught exception the process is unreliable and
 * ends, so that its supervisor restarts it.
 */
export function logUncaughtOutput(log: Logger, { dev }: { readonly dev: boolean }): void {
  process.on("uncaughtException", (err) => {
    log.fatal({ err }, "an error that nobody caught ends the process");
    process.exit(1);
  });
  process.on("unhandledRejection", (err) => {
    log.error({ err }, "an error that nobody waited for");
  });
  // The dev server prints for a person at a terminal.
  if (dev) return;
  for (const level of ["debug", "info", "warn", "error"] as const) {
    console[level] = (...printed: unknown[]) => print(log, level, printed);
  }
  console.log = console.info;
}

/** Logs an error in the output like any other, and the texts next to it. Other values are left out. */
function print(log: Logger, level: "debug" | "info" | "warn" | "error", printed: readonly unknown[]): void {
  const err = printed.find((one) => one instanceof Error);
  const texts = printed.filter((one) => typeof one !== "object" && typeof one !== "function");
  const text = redactSecrets(format(...texts));
  log[level]({ ...(err !== undefined && { err }), printed: text }, "printed by a library");
}
