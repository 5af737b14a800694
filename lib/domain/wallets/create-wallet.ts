import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { ENVS, type Env, getAccountPath, type NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { deriveSolanaAddress } from "#lib/chains/solana/derive-address.ts";
import { toClassicAddress } from "#lib/chains/xrp/address.ts";

export interface WalletAccount {
  readonly env: Env;
  readonly network: NetworkCode;
  /** From the root, "m/44'/60'/0'"; of the one key that there is, where all addresses are of one account. */
  readonly path: string;
  /** Or that account's address. */
  readonly xpub: string;
}

/**
 * The account public keys of a mnemonic for every network, both environments. Pure and offline; without a mnemonic
 * a new one of 24 words (256 bits) is made. Nothing is stored: who loses the words loses the money.
 */
export function createWallet(mnemonic: string = createMnemonic()): {
  mnemonic: string;
  accounts: WalletAccount[];
} {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  const accounts = ENVS.flatMap((env) =>
    keyedNetworks().map((network) => {
      const data: NetworkData = NETWORKS[network];
      const path = accountKeyPath(`m/${walletPath(data, env)}`, data);
      return { env, network, path, xpub: deriveAccountKey(root, path, data) };
    }),
  );
  return { mnemonic, accounts };
}

/** Of the account public key, or of an account's only key: wallets show the first one. */
export function accountKeyPath(accountPath: string, { addressSource }: NetworkData): string {
  return addressSource === "tags" ? `${accountPath}/0/0` : accountPath;
}

/** What a network's variable takes: the account public key at a path, or the account whose key stands there. */
export function deriveAccountKey(root: HDKey, path: string, { addressSource }: NetworkData): string {
  const key = root.derive(path);
  if (addressSource !== "tags") return key.publicExtendedKey;
  if (key.publicKey === null) throw new Error(`there is no key at ${path}`);
  return toClassicAddress(key.publicKey);
}

export function createMnemonic(): string {
  return generateMnemonic(wordlist, 256);
}

/** Those whose addresses derive from a public key, or are tags of an account. */
function keyedNetworks(): NetworkCode[] {
  const codes = Object.keys(NETWORKS) as NetworkCode[];
  return codes.filter((network) => {
    const data: NetworkData = NETWORKS[network];
    return data.addressSource !== "pool";
  });
}

/** Addresses to import into Solana's pool of an environment. */
export interface OfflineAddresses {
  readonly env: Env;
  readonly network: "solana";
  readonly addresses: readonly { readonly address: string; readonly path: string }[];
}

/**
 * The first `count` Solana addresses of a mnemonic, for each environment. Live ones stand where wallets have theirs,
 * account n at m/44'/501'/n'/0'; test ones beside them at m/44'/501'/n'/1', so that the two never share an address.
 */
export function createSolanaAddresses(mnemonic: string, count: number): OfflineAddresses[] {
  const seed = mnemonicToSeedSync(mnemonic);
  return ENVS.map((env) => ({
    env,
    network: "solana",
    addresses: Array.from({ length: count }, (_, n) => {
      const path = `m/${NETWORKS.solana.accountPath}/${n}'/${env === "live" ? 0 : 1}'`;
      return { address: deriveSolanaAddress(seed, path), path };
    }),
  }));
}

/** Live receives on account 0; test on account 1 where it has no coin type of its own. They never share an address. */
function walletPath(data: NetworkData, env: Env): string {
  const path = getAccountPath(data, env);
  return env === "test" && path === data.accountPath ? path.replace(/0'$/, "1'") : path;
}
