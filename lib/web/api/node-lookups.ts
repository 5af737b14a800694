import type { ApiCaller } from "#lib/domain/merchants/types.ts";

/**
 * On one network and environment. A look-up stands in one line with the watcher for a node's call budget. It sends one
 * request after another, so that no request of the watcher's waits for more than so many of theirs.
 */
const MOST_AT_ONCE = 4;
/** Of one merchant: half, so that nobody has all of it. */
const MOST_OF_ONE_MERCHANT = 2;

/** Look-ups that ask a network's nodes, so few at once. Held by this process alone, like its call budget. */
export interface NodeLookups {
  /** What `ask` resolves to, in `value`; null, and nothing is asked, while too many are under way. Throws what it throws. */
  run<T>(caller: ApiCaller, network: string, ask: () => Promise<T>): Promise<{ readonly value: T } | null>;
}

export function createNodeLookups(): NodeLookups {
  /** Whose are under way, by environment and network: a merchant's id for each of them. */
  const underWay = new Map<string, number[]>();
  return {
    async run({ merchant, env }, network, ask) {
      const place = `${env} ${network}`;
      const merchants = underWay.get(place) ?? [];
      const own = merchants.filter((id) => id === merchant.id).length;
      if (merchants.length >= MOST_AT_ONCE || own >= MOST_OF_ONE_MERCHANT) return null;
      merchants.push(merchant.id);
      underWay.set(place, merchants);
      try {
        return { value: await ask() };
      } finally {
        merchants.splice(merchants.indexOf(merchant.id), 1);
      }
    },
  };
}
