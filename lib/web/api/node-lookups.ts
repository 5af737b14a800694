import type { ApiCaller } from "#lib/domain/merchants/types.ts";

/**
 * Limit per network and environment. Lookups and the watcher share the call budget of a node. A lookup sends
 * its requests one after another, so a request of the watcher waits for at most this many lookups.
 */
const MAX_RUNNING = 4;
/** Limit per merchant: half, so that one merchant cannot use all places. */
const MAX_PER_MERCHANT = 2;

/**
 * Limits the lookups that query a network's nodes. The count belongs to this process, like the call budget
 * of its nodes.
 */
export interface NodeLookups {
  /**
   * Returns the result of `ask` in `value`. Returns null and does not call `ask` while too many lookups are
   * running. Rethrows errors of `ask`.
   */
  run<T>(caller: ApiCaller, network: string, ask: () => Promise<T>): Promise<{ readonly value: T } | null>;
}

export function createNodeLookups(): NodeLookups {
  /** Running lookups by environment and network, with one merchant id for each. */
  const running = new Map<string, number[]>();
  return {
    async run({ merchant, env }, network, ask) {
      const key = `${env} ${network}`;
      const merchants = running.get(key) ?? [];
      const own = merchants.filter((id) => id === merchant.id).length;
      if (merchants.length >= MAX_RUNNING || own >= MAX_PER_MERCHANT) return null;
      merchants.push(merchant.id);
      running.set(key, merchants);
      try {
        return { value: await ask() };
      } finally {
        merchants.splice(merchants.indexOf(merchant.id), 1);
      }
    },
  };
}
