import { ANSWERS_HEADER } from "./rules.ts";
import { timeoutSignal } from "./timeout-signal.ts";

const TIMEOUT_MS = 5_000;

/**
 * Browser side: true if the server can render pages now. A file or a health check can answer while the database is away. A refresh
 * would then replace the page by an error.
 */
export async function pageAnswers(): Promise<boolean> {
  try {
    const headers = { [ANSWERS_HEADER]: "1" };
    const options = {
      method: "HEAD",
      headers,
      cache: "no-store",
      signal: timeoutSignal(TIMEOUT_MS),
    } as const;
    return (await fetch(window.location.pathname, options)).ok;
  } catch {
    return false;
  }
}
