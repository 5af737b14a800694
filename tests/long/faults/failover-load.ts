import { setTimeout as pause } from "node:timers/promises";
import { DESTINATION, USDT } from "#tests/support/withdrawals.ts";

/** Longer than a failover: a commit waits for the standby, which may be gone too. */
const ANSWER_MS = 60_000;

/** The amount of each withdrawal. */
export const WITHDRAWN = { amount: "12.5", units: (25n * USDT) / 2n } as const;

/** A merchant that reads and asks for withdrawals, one after another, and notes every answer. */
export interface Asker {
  readonly figures: { requests: number; retried: number; answered: number };
  /** The longest time without an answer since the last call. */
  takeLongestOutageMs(): number;
  /** References of the withdrawals that were confirmed. */
  readonly withdrawals: ReadonlySet<string>;
  /** Answers other than a success, a refusal for lack of money, and 503 with Retry-After. */
  readonly unexpected: readonly string[];
  /** Resolves when every withdrawal that was asked for has its answer. */
  stop(): Promise<void>;
}

/** Starts it. A withdrawal is asked for again with its key until there is an answer. */
export function openAsker(origin: string, apiKey: string): Asker {
  const figures = { requests: 0, retried: 0, answered: 0 };
  let longestOutageMs = 0;
  const withdrawals = new Set<string>();
  const unexpected: string[] = [];
  let stopping = false;
  let lastAt = performance.now();

  /** The text of an answer that is not 503. */
  async function ask(path: string, init: RequestInit = {}): Promise<string | null> {
    figures.requests += 1;
    const headers = { "x-staging-api-key": apiKey, "content-type": "application/json", ...init.headers };
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const response = await fetch(origin + path, { ...init, headers, signal });
      const text = await response.text();
      if (response.ok || response.status === 422 || response.status === 400) {
        figures.answered += 1;
        longestOutageMs = Math.max(longestOutageMs, performance.now() - lastAt);
        lastAt = performance.now();
        return text;
      }
      if (response.status !== 503 || response.headers.get("retry-after") === null)
        unexpected.push(`${path}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      unexpected.push(`${path}: ${String(error)}`);
    }
    figures.retried += 1;
    return null;
  }

  async function withdraw(key: string): Promise<void> {
    const body = JSON.stringify({
      network: "bep20",
      token: "usdt",
      amount: WITHDRAWN.amount,
      to: DESTINATION,
    });
    for (;;) {
      const text = await ask("/v1/withdrawals", {
        method: "POST",
        body,
        headers: { "idempotency-key": key },
      });
      const { data } = JSON.parse(text ?? "{}") as { data?: { refid?: string } };
      if (data?.refid !== undefined) withdrawals.add(data.refid);
      if (text !== null) return;
      await pause(100);
    }
  }

  async function work(): Promise<void> {
    for (let i = 1; !stopping; i++) {
      await withdraw(`withdrawal-${i}`);
      await ask("/v1/payment-links?limit=1");
      await pause(200);
    }
  }

  const working = work();
  return {
    figures,
    withdrawals,
    unexpected,
    takeLongestOutageMs() {
      const taken = longestOutageMs;
      longestOutageMs = 0;
      return taken;
    },
    async stop() {
      stopping = true;
      await working;
    },
  };
}
