import { mnemonicToSeedSync } from "@scure/bip39";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { deriveSolanaAddress, deriveSolanaKey } from "#lib/chains/solana/address.ts";

/** A key pair of the signer's words. */
export interface SolanaKey {
  readonly address: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** The key pair at a path below the words' seed. Throws on a path that is not all hardened. */
export const deriveKey = (seed: Uint8Array, path: string): SolanaKey => ({
  address: deriveSolanaAddress(seed, path),
  secret: deriveSolanaKey(seed, path),
});

/** The account that pays. Deposit addresses are n'/0' and n'/1', so it is never given to a payer. */
export const deriveHotKey = (
  mnemonic: string,
  { env, data }: Pick<NetworkAdapter, "env" | "data">,
): SolanaKey =>
  deriveKey(mnemonicToSeedSync(mnemonic), `m/${data.accountPath}/0'/${env === "live" ? 2 : 3}'`);
