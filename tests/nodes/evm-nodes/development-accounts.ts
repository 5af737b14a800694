import type { LocalAccount } from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** anvil's development words: public, and worth nothing elsewhere. The first account is the faucet. */
const WORDS = "test test test test test test test test test test test junk";

const accounts: readonly LocalAccount[] = Array.from({ length: 10 }, (_, addressIndex) =>
  mnemonicToAccount(WORDS, { addressIndex }),
);

export const DEVELOPMENT_ADDRESSES: readonly string[] = accounts.map(({ address }) => address.toLowerCase());

/** The development account of an address. Throws for any other address. */
export function developmentAccount(address: string): LocalAccount {
  const account = accounts[DEVELOPMENT_ADDRESSES.indexOf(address.toLowerCase())];
  if (!account) throw new Error(`${address} is not a development account`);
  return account;
}
