import type { Logger } from "pino";
import { NETWORKS, type NetworkScope } from "#lib/chains/networks.ts";
import { type Clock, callLater, SYSTEM_CLOCK } from "#lib/platform/clock.ts";
import { CHANNELS, listenForChanges } from "#lib/platform/db/listen-for-changes.ts";
import { createHintBudget, spendHint } from "./hint-rules.ts";

/** Hints that a payer's wallet has sent a payment (expected-queries.ts). */
export interface HintListener {
  /** Calls `look` at a hint for the network, and when the next block is due. Returns what ends it. */
  onHint(scope: NetworkScope, look: () => void): () => void;
  stop(): Promise<void>;
}

/** Resolves once hints are heard. Throws when the database cannot be reached. */
export async function listenForHints(
  url: string,
  log: Logger,
  clock: Clock = SYSTEM_CLOCK,
): Promise<HintListener> {
  const looks = new Map<string, () => void>();
  const onPayload = (name: string) => looks.get(name)?.();
  const listener = await listenForChanges(
    url,
    [CHANNELS.sentPayments],
    // A missed hint costs nothing but the wait for the next pass.
    { onPayload, onReconnect: () => {} },
    { log },
  );
  return {
    onHint({ env, network }, look) {
      const name = `${env}:${network}`;
      const time = () => clock.now().getTime();
      let budget = createHintBudget(time());
      let cancel = () => {};
      looks.set(name, () => {
        const next = spendHint(budget, time());
        if (next === null) return;
        budget = next;
        look();
        cancel();
        cancel = callLater(clock, NETWORKS[network].blockSeconds * 1_000, look);
      });
      return () => {
        looks.delete(name);
        cancel();
      };
    },
    stop: () => listener.stop(),
  };
}
