import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { listKnownAddresses } from "#lib/domain/wallets/find-addresses.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import type { WatchContext } from "../types.ts";

/**
 * The networks whose addresses are ours on this one too, itself first: an account key that serves several EVM
 * networks makes one address on all of them, of which only one was given out.
 */
export function networksSharingAddresses(
  adapter: NetworkAdapter,
  networks: NetworkRegistry,
): readonly NetworkCode[] {
  const { env, network, accountKey, data } = adapter;
  const twins = networks
    .list(env)
    .filter((other) => other.network !== network && other.data.family === "evm")
    .filter((other) => data.family === "evm" && other.accountKey === accountKey);
  return [network, ...twins.map((twin) => twin.network)];
}

/** Those of these canonical addresses that are ours on the watched network, by address; one indexed query. */
export async function findAddressOwners(
  { adapter, paymentLinks, database, env, network }: WatchContext,
  candidates: readonly string[],
): Promise<ReadonlyMap<string, WalletAddress>> {
  const networks = networksSharingAddresses(adapter, paymentLinks.networks);
  const found = await listKnownAddresses(database.db, env, networks, candidates);
  // Its own network's last, so that it is the one that stays.
  const own = (address: WalletAddress) => Number(address.network === network);
  return new Map(found.toSorted((a, b) => own(a) - own(b)).map((address) => [address.address, address]));
}
