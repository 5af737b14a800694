import { getFamily } from "#lib/chains/families.ts";
import type { Env, NetworkData } from "#lib/chains/network-data.ts";

/**
 * True for an address that receives nothing for a person: one without a known key or that anyone can spend from, or the contract of a token. `address` is
 * canonical.
 */
export function isUnsafeDestination(data: NetworkData, env: Env, address: string): boolean {
  const contracts = Object.values(data.tokens).map((token) => token?.contract?.[env]);
  return contracts.includes(address) || getFamily(data).isBurnAddress(address, env, data);
}
