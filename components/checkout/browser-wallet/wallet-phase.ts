import { useCallback, useSyncExternalStore } from "react";
import type { WalletRefusal } from "./outcome.ts";

/** How far the payment by a wallet is. */
export type WalletPhase = "pick" | "waiting" | "sent" | WalletRefusal;

/** A transaction that no watcher has seen for so long is not coming. */
const SENT_MS = 600_000;

/** By payment. It outlives the panel, which a new price replaces while the wallet still asks. */
const phases = new Map<string, WalletPhase>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The phase of a payment, and its setter. A sent payment is remembered when the page is loaded again. */
export function useWalletPhase(payment: string): readonly [WalletPhase, (phase: WalletPhase) => void] {
  const read = () => phases.get(payment) ?? (wasSent(payment) ? "sent" : "pick");
  const phase = useSyncExternalStore(subscribe, read, () => "pick" as const);
  const set = useCallback(
    (next: WalletPhase) => {
      phases.set(payment, next);
      if (next === "sent") remember(payment);
      for (const listener of listeners) listener();
    },
    [payment],
  );
  return [phase, set];
}

const keyOf = (payment: string) => `paylink-sent:${payment}`;

/** A browser without storage remembers nothing. */
function remember(payment: string): void {
  try {
    window.sessionStorage.setItem(keyOf(payment), String(Date.now()));
  } catch {}
}

function wasSent(payment: string): boolean {
  try {
    return Date.now() - Number(window.sessionStorage.getItem(keyOf(payment))) < SENT_MS;
  } catch {
    return false;
  }
}
