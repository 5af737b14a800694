import { timeoutSignal } from "./timeout-signal.ts";

const TIMEOUT_MS = 5_000;

/**
 * Browser side: true if the server can render the current page now. A file or a health check can answer while the
 * database is away. A refresh would then replace the page by an error. Without the query, because an address in the query
 * of a refund claim counts as a try.
 */
export async function pageAnswers(): Promise<boolean> {
  try {
    const options = { method: "HEAD", cache: "no-store", signal: timeoutSignal(TIMEOUT_MS) } as const;
    return (await fetch(window.location.pathname, options)).ok;
  } catch {
    return false;
  }
}
