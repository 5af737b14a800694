import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { counterKey } from "#lib/domain/wallets/skip-addresses.ts";

/** The other networks of an adapter's account key. An address that is skipped has one network, the adapter's: only that is watched. */
export function listUnwatched(adapter: NetworkAdapter, all: readonly NetworkAdapter[]): NetworkCode[] {
  const key = counterKey(adapter);
  return all
    .filter((other) => other !== adapter && other.env === adapter.env && counterKey(other) === key)
    .map(({ network }) => network);
}
