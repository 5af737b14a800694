import type { Cli } from "../cli.ts";

/** Resolves with Ctrl-C, or when the process is asked to end. */
export function untilStopped({ process }: Cli): Promise<void> {
  return new Promise((resolve) => {
    process?.on("SIGINT", () => resolve());
    process?.on("SIGTERM", () => resolve());
  });
}
