import { format } from "node:util";
import type { Logger } from "pino";
import { redactSecrets } from "#lib/platform/log/serialize-error.ts";

/**
 * What goes past the log otherwise becomes lines of it, under the same rules: errors that nobody caught, and what
 * libraries print. A rejection that nobody waits for harms nothing (Next has such by design); after an exception out of
 * nowhere the process is not to be trusted, and ends for whoever supervises it to start it anew.
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

/** An error among what is printed is shown like any other, and the texts beside it; other things are not. */
function print(log: Logger, level: "debug" | "info" | "warn" | "error", printed: readonly unknown[]): void {
  const err = printed.find((one) => one instanceof Error);
  const texts = printed.filter((one) => typeof one !== "object" && typeof one !== "function");
  const text = redactSecrets(format(...texts));
  log[level]({ ...(err !== undefined && { err }), printed: text }, "printed by a library");
}
