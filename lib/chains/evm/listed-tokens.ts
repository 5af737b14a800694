import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Env, NetworkData } from "../network-data.ts";
import type { ChainToken } from "../units.ts";
import type { EvmDialect } from "./dialect.ts";
import type { NativeReader } from "./native-reader.ts";

export interface ListedContract extends ChainToken {
  /** 20 bytes of lower-case hex, as logs carry it. */
  readonly contract: string;
}

/** The network's own coin, and what tells its movements. */
export interface NativeCoin extends ChainToken {
  readonly reader: NativeReader;
}

/** What a network's entry has received in one environment. */
export interface EvmTokens {
  /** The network's own coin; null: it is not received. */
  readonly coin: NativeCoin | null;
  readonly contracts: readonly ListedContract[];
}

/**
 * Leaves out what has no contract in the environment. Throws on a contract that is no address, on a coin that nothing
 * reads, and on nothing at all.
 */
export function readEvmTokens(data: NetworkData, env: Env, dialect: EvmDialect): EvmTokens {
  let coin: NativeCoin | null = null;
  const contracts: ListedContract[] = [];
  for (const [code, { contract, decimals }] of Object.entries(data.tokens)) {
    const token = code as TokenCode;
    if (contract === null) {
      if (dialect.native === null) throw new Error(`${data.code} has nothing that reads ${token}`);
      coin = { token, decimals, reader: dialect.native };
      continue;
    }
    const address = contract[env];
    if (address === null) continue;
    const canonical = dialect.canonicalizeAddress(address);
    if (canonical === null) throw new Error(`${data.code} has no valid contract of ${token}`);
    contracts.push({ token, contract: dialect.toHex(canonical), decimals });
  }
  if (coin === null && contracts.length === 0) throw new Error(`${data.code} receives nothing`);
  return { coin, contracts };
}
