import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import { listKnownAddresses } from "#lib/domain/wallets/queries.ts";
import type { WalletAddress } from "#lib/domain/wallets/types.ts";
import type { WatchContext } from "./types.ts";

/**
 * Returns the networks whose addresses are also valid and ours on this network, the network itself first. An account key
 * for several EVM networks derives the same address on all of them, but the address is allocated on only one. That network
 * may be switched off, or have another key since.
 */
export function networksSharingAddresses({
  network,
  data,
}: Pick<NetworkAdapter, "network" | "data">): readonly NetworkCode[] {
  const family = getFamily(data);
  const isTwin = (other: NetworkCode) => other !== network && getFamily(other) === family;
  return [network, ...(family.sharesAddresses ? NETWORK_CODES.filter(isTwin) : [])];
}

/** Finds which of these canonical addresses are ours on the watched network, by address. One indexed query. */
export async function findAddressOwners(
  { adapter, database, env, network }: WatchContext,
  candidates: readonly string[],
): Promise<ReadonlyMap<string, WalletAddress>> {
  const networks = networksSharingAddresses(adapter);
  const found = await listKnownAddresses(database.db, env, networks, candidates);
  // The network's own address comes last, so that the map keeps it.
  const isOwn = (address: WalletAddress) => Number(address.network === network);
  return new Map(found.toSorted((a, b) => isOwn(a) - isOwn(b)).map((address) => [address.address, address]));
}
