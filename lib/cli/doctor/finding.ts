import { setTimeout as pause } from "node:timers/promises";

/** The result of one check. Never holds a secret, nor a URL of a node, which may contain a key. */
export interface Finding {
  /** The subject: "database", "node live bep20 node.example". */
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly found: string;
  /** The next step. Null if nothing is wrong. */
  readonly advice: string | null;
}

export const ok = (check: string, found: string): Finding => ({ check, status: "ok", found, advice: null });
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "warning",
  found,
  advice,
});
export const failed = (check: string, found: string, advice: string): Finding => ({
  check,
  status: "failed",
  found,
  advice,
});

/** Runs a check for at most so long. Never throws: an unexpected error is a finding too. */
export async function runCheck(
  check: string,
  limitMs: number,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const ended = new AbortController();
  const late = pause(limitMs, null, { signal: ended.signal, ref: false }).then(
    () => [
      failed(
        check,
        `no result within ${limitMs / 1_000} s`,
        "Run the command again. If it stays, look here first.",
      ),
    ],
    () => [],
  );
  const done = work().catch((error: unknown) => [
    failed(
      check,
      `the check itself failed: ${codeOf(error)}`,
      "This is a defect of Paylink: report this line.",
    ),
  ]);
  try {
    return await Promise.race([done, late]);
  } finally {
    ended.abort();
  }
}

/** The code or the kind of an error. Messages may contain what a person configured. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string") return code;
  if (cause !== undefined) return codeOf(cause);
  return error instanceof Error ? error.name : "unknown";
}
