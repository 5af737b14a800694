import type { NetworkAdapter } from "#lib/chains/network.ts";
import { parseAccountKey } from "./read-account-key.ts";
import type { IndexedAddress } from "./types.ts";

/**
 * What stands for the network's account key in the tables: one counter for every spelling of it (xpub, zpub), since another
 * would give out the same addresses again. Throws on a key that does not derive.
 */
export function accountKeyIdentity({ env, network, accountKey, data }: NetworkAdapter): string {
  const key = parseAccountKey(accountKey, env, data);
  if (!key.ok) throw new Error(`the account key of ${env} ${network} is ${key.reason}`);
  return key.identity;
}

/** The address of the network's account key at an index, in canonical form. */
export function deriveCanonicalAddress(adapter: NetworkAdapter, index: number): IndexedAddress {
  const { address: shown, path } = adapter.deriveAddress(index);
  const address = adapter.canonicalizeAddress(shown);
  if (address === null) throw new Error(`${adapter.network} derived an address that it does not recognise`);
  return { address, index, path };
}
