import type { Logger } from "pino";
import { NETWORKS } from "#lib/chains/networks.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import type { NetworkScope } from "../types.ts";
import { createHintBudget, spendHint } from "./hint-rules.ts";

/** Hints that a payer's wallet has sent a payment (hint-transaction.ts). */
export interface HintListener {
  /** Calls `look` at a hint for the network, and when the next block is due. Returns what ends it. */
  onHint(scope: NetworkScope, look: () => void): () => void;
  stop(): Promise<void>;
}

/** Resolves once hints are heard. Throws when the database cannot be reached. */
export async function listenForHints(url: string, log: Logger): Promise<HintListener> {
  const looks = new Map<string, () => void>();
  const onPayload = (name: string) => looks.get(name)?.();
  const listener = await listenForChanges(
    url,
    CHANNELS.sentPayments,
    // A missed hint costs nothing but the wait for the next pass.
    { onPayload, onReconnect: () => {} },
    log,
  );
  return {
    onHint({ env, network }, look) {
      const name = `${env}:${network}`;
      let budget = createHintBudget(Date.now());
      let timer: NodeJS.Timeout | undefined;
      looks.set(name, () => {
        const next = spendHint(budget, Date.now());
        if (next === null) return;
        budget = next;
        look();
        clearTimeout(timer);
        timer = setTimeout(look, NETWORKS[network].blockSeconds * 1_000);
      });
      return () => {
        looks.delete(name);
        clearTimeout(timer);
      };
    },
    stop: () => listener.stop(),
  };
}
