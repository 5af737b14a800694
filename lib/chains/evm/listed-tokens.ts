import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type Env, isReceived, type NetworkData } from "../network-data.ts";
import type { ChainToken } from "../units.ts";
import type { NativeReader } from "./native-reader.ts";

export interface ListedContract extends ChainToken {
  /** 20 bytes of lower-case hex, as in logs. */
  readonly contract: string;
}

/** The network's own coin, and the reader of its movements. */
interface NativeCoin extends ChainToken {
  readonly reader: NativeReader;
}

/** The tokens of a network in one environment. */
export interface EvmTokens {
  /** The network's own coin. Null: it is not listed, or not received. */
  readonly coin: NativeCoin | null;
  readonly contracts: readonly ListedContract[];
}

/** The part of a dialect (dialect.ts) that says how the tokens of a network are written. */
export interface TokenForms {
  /** Canonical form, which is stored and compared. Null: not an address. */
  canonicalizeAddress(text: string): string | null;
  toHex(canonical: string): string;
  /** Used where the network's data lists its own coin. Null: such data is refused. */
  readonly native: NativeReader | null;
}

/**
 * Skips tokens without a contract in the environment. Throws on an invalid contract, on a coin without a
 * reader, and when no token is left.
 */
export function readEvmTokens(data: NetworkData, env: Env, dialect: TokenForms): EvmTokens {
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

/** Leaves out the tokens that the operator does not receive. Without the coin no block is read whole. */
export function keepReceived({ coin, contracts }: EvmTokens, data: NetworkData): EvmTokens {
  return {
    coin: coin !== null && isReceived(data, coin.token) ? coin : null,
    contracts: contracts.filter(({ token }) => isReceived(data, token)),
  };
}
