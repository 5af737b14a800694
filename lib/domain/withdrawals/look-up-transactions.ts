import { type NetworkAdapter, NodeError } from "#lib/chains/network.ts";
import { finalHeight } from "./outcome-rules.ts";
import type { NamedTransaction, Observation, Sighting } from "./types.ts";

/** Why the chain could not be asked. */
export type LookUpRefusal = "network_off" | "node_unavailable";

/** Asks one node about all of these: its head first, so that what follows is never older. Throws NodeError. */
export function observe(
  adapter: NetworkAdapter,
  transactions: readonly NamedTransaction[],
): Promise<Observation> {
  return adapter.onOneNode({ at: null }, async (node) => {
    const head = await node.head();
    const { finality } = adapter.data;
    const final = finalHeight(finality, head);
    const sightings: Sighting[] = [];
    for (const transaction of transactions) {
      const seen = (await node.payments?.(transaction.hash, transaction.block)) ?? null;
      const since = new Date(transaction.namedAt);
      const expired = seen === null && final >= 0 && ((await node.expired?.(since, final)) ?? false);
      sightings.push({ ...transaction, seen, expired });
    }
    return { head, finality, sightings };
  });
}

/** As observe, for whoever asks on behalf of a person: trouble with the network is a refusal. */
export async function tryToObserve(
  adapter: NetworkAdapter | null,
  transactions: readonly NamedTransaction[],
): Promise<{ ok: true; observation: Observation } | { ok: false; reason: LookUpRefusal }> {
  if (adapter === null) return { ok: false, reason: "network_off" };
  try {
    return { ok: true, observation: await observe(adapter, transactions) };
  } catch (error) {
    if (error instanceof NodeError) return { ok: false, reason: "node_unavailable" };
    throw error;
  }
}

/** A transaction that nothing is known of yet. */
export function named(hash: string, at: Date): NamedTransaction {
  return { hash, namedAt: at.toISOString(), spends: [], block: null };
}

/** What is worth remembering of a sighting, for when a node no longer tells it. */
export function remembered({ hash, namedAt, spends, block, seen }: Sighting): NamedTransaction {
  return {
    hash,
    namedAt,
    spends: seen === null || seen.spends.length === 0 ? spends : seen.spends,
    block: seen?.block?.hash ?? block,
  };
}
