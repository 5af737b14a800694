import { pageAddress } from "#lib/web/realtime/follow-link.ts";
import { timeoutSignal } from "#lib/web/realtime/timeout-signal.ts";

const TIMEOUT_MS = 5_000;

/** Reports that a wallet has sent the payment, so that the watcher looks at once. Without an answer it looks later. */
export function hintPayment(pair: string): void {
  const options = { method: "POST", keepalive: true, signal: timeoutSignal(TIMEOUT_MS) } as const;
  fetch(`${pageAddress()}/sent?pair=${pair}`, options).catch(() => {});
}
