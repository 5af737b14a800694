import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { getAccountPath } from "#lib/chains/network-data.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";

/** Accounts that a wallet may have been configured with. */
const MOST_ACCOUNTS = 10;

/** The words of the key file are not those of a configured network. */
export class KeyError extends OperatorError {}

/**
 * The private key at the path of a network's account key: of the account, or of the one address where all addresses are tags of it. Throws
 * a KeyError if the words do not derive the key that is configured.
 */
export function openAccountKey(
  mnemonic: string,
  { env, network, data, accountKey }: Pick<NetworkAdapter, "env" | "network" | "data" | "accountKey">,
): HDKey {
  const format = getFamily(network).accountKey;
  const wanted = format?.parse(accountKey, env, data);
  if (!format || !wanted?.ok) throw new KeyError(`${env} ${network} has no account key`);
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  for (let number = 0; number < MOST_ACCOUNTS; number++) {
    const path = `m/${getAccountPath(data, env).replace(/[0-9]+'$/, `${number}'`)}`;
    const key = root.derive(format.getKeyPath(path));
    const found = format.parse(format.formatKey(key), env, data);
    if (found.ok && found.identity === wanted.identity) return key;
  }
  throw new KeyError(
    `the words of the key file do not derive the configured key of ${env} ${network}: import its words, or correct its account key`,
  );
}

/** The private key of a child of an account key: [0, n] of deposit address n, [1, 0] of the hot account. */
export function deriveChildKey(account: HDKey, branch: 0 | 1, index: number): Uint8Array {
  const { privateKey } = account.deriveChild(branch).deriveChild(index);
  // BIP 32: less likely than 1 in 2^127.
  if (privateKey === null) throw new KeyError(`child ${branch}/${index} of the account has no key`);
  return privateKey;
}
