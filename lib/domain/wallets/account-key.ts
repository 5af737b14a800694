import { parseAccountKey } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { IndexedAddress } from "./types.ts";

/**
 * The identity of the network's account key in the tables. It is the same for every spelling of the key (xpub, zpub),
 * so that they share a counter and never allocate the same address twice. Throws if the key is invalid.
 */
export function accountKeyIdentity({ env, network, accountKey, data }: NetworkAdapter): string {
  const key = parseAccountKey(accountKey, env, data);
  if (!key.ok) throw new Error(`the account key of ${env} ${network} is invalid: ${key.reason}`);
  return key.identity;
}

/** The address of the network's account key at an index, in canonical form. */
export function deriveCanonicalAddress(adapter: NetworkAdapter, index: number): IndexedAddress {
  const { address: displayed, path } = adapter.addresses.derive(index);
  const address = adapter.addresses.canonicalize(displayed);
  if (address === null) throw new Error(`${adapter.network} derived an address that it cannot parse`);
  return { address, index, path };
}
