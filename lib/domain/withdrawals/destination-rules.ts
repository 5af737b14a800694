import type { Env, NetworkData } from "#lib/chains/network-data.ts";

/** Addresses of each family that nobody has a key of, in canonical form. */
const BURN_ADDRESSES: Readonly<Record<NetworkData["family"], RegExp | null>> = {
  // The zero address, the precompiled contracts, and 0x…dead.
  evm: /^0x0{36}[0-9a-f]{4}$/,
  // The zero address.
  tron: /^T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb$/,
  // The system program and the incinerator.
  solana: /^(?:1{32}|1nc1nerator1{32})$/,
  // ACCOUNT_ZERO and ACCOUNT_ONE.
  xrp: /^(?:rrrrrrrrrrrrrrrrrrrrrhoLvTp|rrrrrrrrrrrrrrrrrrrrBZbvji)/,
  utxo: null,
};

/**
 * True for an address that receives nothing for a person: one that nobody has a key of, or the contract of a token. `address` is
 * canonical.
 */
export function isUnsafeDestination(data: NetworkData, env: Env, address: string): boolean {
  const contracts = Object.values(data.tokens).map((token) => token?.contract?.[env]);
  return contracts.includes(address) || (BURN_ADDRESSES[data.family]?.test(address) ?? false);
}
