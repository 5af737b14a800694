import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { accountPathOf, ENVS, type Env, type NetworkData } from "#lib/networks/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/networks/networks.ts";

export interface WalletAccount {
  readonly env: Env;
  readonly network: NetworkCode;
  /** From the root, "m/44'/60'/0'". */
  readonly path: string;
  readonly xpub: string;
}

/**
 * The account public keys of a mnemonic for every network, both environments. Pure and offline; without a mnemonic
 * a new one of 24 words (256 bits) is made. Nothing is stored: who loses the words loses the money.
 */
export function createWallet(mnemonic: string = generateMnemonic(wordlist, 256)): {
  mnemonic: string;
  accounts: WalletAccount[];
} {
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  const accounts = ENVS.flatMap((env) =>
    (Object.keys(NETWORKS) as NetworkCode[]).map((network) => {
      const path = `m/${walletPath(NETWORKS[network], env)}`;
      return { env, network, path, xpub: root.derive(path).publicExtendedKey };
    }),
  );
  return { mnemonic, accounts };
}

/** Live receives on account 0; test on account 1 where it has no coin type of its own. They never share an address. */
function walletPath(data: NetworkData, env: Env): string {
  const path = accountPathOf(data, env);
  return env === "test" && path === data.accountPath ? path.replace(/0'$/, "1'") : path;
}
