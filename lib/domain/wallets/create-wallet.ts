import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { getFamily } from "#lib/chains/families.ts";
import { ENVS, type Env, getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";

export interface WalletAccount {
  readonly env: Env;
  readonly network: NetworkCode;
  /** Path of the key from the root: "m/44'/60'/0'". */
  readonly path: string;
  /** The value of the network's variable: an extended public key, or the account's address. */
  readonly xpub: string;
}

/**
 * Creates the account keys of a mnemonic for every network that has one, in both environments. Pure and offline.
 * Without a mnemonic, a new one of 24 words (256 bits) is created. Nothing is stored. Anyone with these words can
 * spend the funds. Without them the funds are lost.
 */
export function createWallet(mnemonic: string = createMnemonic()): {
  mnemonic: string;
  accounts: WalletAccount[];
} {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  const accounts = ENVS.flatMap((env) =>
    NETWORK_CODES.flatMap((network) => {
      const path = getWalletPath(NETWORKS[network], env);
      const key = deriveAccountKey(root, network, `m/${path}`);
      return key === null ? [] : { env, network, ...key };
    }),
  );
  return { mnemonic, accounts };
}

/** Derives the account key of a network at an account path, with m/. Returns null where addresses are imported. */
export function deriveAccountKey(
  root: HDKey,
  network: NetworkCode,
  accountPath: string,
): { readonly path: string; readonly xpub: string } | null {
  const { accountKey } = getFamily(network);
  if (accountKey === null) return null;
  const path = accountKey.getKeyPath(accountPath);
  return { path, xpub: accountKey.formatKey(root.derive(path)) };
}

export function createMnemonic(): string {
  return generateMnemonic(wordlist, 256);
}

/** Addresses to import into the pool of a network in one environment. */
export interface OfflineAddresses {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly addresses: readonly { readonly address: string; readonly path: string }[];
}

/** Derives the first `count` addresses of a mnemonic for each environment, for every network with imported addresses. */
export function createPoolAddresses(mnemonic: string, count: number): OfflineAddresses[] {
  const seed = mnemonicToSeedSync(mnemonic);
  return ENVS.flatMap((env) =>
    NETWORK_CODES.flatMap((network) => {
      const { pool } = getFamily(network);
      if (pool === null) return [];
      const indexes = Array.from({ length: count }, (_, n) => n);
      const addresses = indexes.map((n) => pool.deriveAddress(seed, env, n, NETWORKS[network]));
      return { env, network, addresses };
    }),
  );
}

/**
 * Live uses account 0. Test uses account 1 where the test chain has no coin type of its own, so that live and test
 * never share an address.
 */
function getWalletPath(data: NetworkData, env: Env): string {
  const path = getAccountPath(data, env);
  return env === "test" && path === data.accountPath ? path.replace(/0'$/, "1'") : path;
}
