import { bytesToHex } from "@noble/hashes/utils.js";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { getAccountPath } from "#lib/chains/network-data.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";

/** Accounts that a wallet may have been configured with. */
const MOST_ACCOUNTS = 10;

/** The words of the key file are not those of a configured network. */
export class KeyError extends OperatorError {}

/**
 * The hot account of an EVM network: child 1/0 of the account that deposit addresses (0/n) derive from, so that its address follows from
 * the configured key alone. Throws a KeyError if the words do not derive that key.
 */
export function openHotAccount(
  mnemonic: string,
  { env, network, data, accountKey }: NetworkAdapter,
): PrivateKeyAccount {
  const format = getFamily(network).accountKey;
  const wanted = format?.parse(accountKey, env, data);
  if (!format || !wanted?.ok) throw new KeyError(`${env} ${network} has no account key`);
  const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
  for (let number = 0; number < MOST_ACCOUNTS; number++) {
    const path = `m/${getAccountPath(data, env).replace(/[0-9]+'$/, `${number}'`)}`;
    const account = root.derive(path);
    const found = format.parse(format.formatKey(account), env, data);
    if (!found.ok || found.identity !== wanted.identity) continue;
    const { privateKey } = account.deriveChild(1).deriveChild(0);
    if (privateKey === null) break;
    return privateKeyToAccount(`0x${bytesToHex(privateKey)}`);
  }
  throw new KeyError(`the words of the key file do not derive the configured key of ${env} ${network}`);
}
