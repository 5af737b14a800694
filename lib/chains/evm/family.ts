import { HDKey } from "@scure/bip32";
import { createXpubFormat } from "../account-keys.ts";
import type { FamilyDescriptor } from "../family.ts";

export const EVM_FAMILY: FamilyDescriptor = {
  canonicalizeTransactionHash(text) {
    const digits = matchHash(text);
    return digits && `0x${digits.toLowerCase()}`;
  },
  accountKey: createXpubFormat(parseXpub),
  pool: null,
  contract: {
    parse: (text) => (/^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null),
    description: "a contract address, 0x and 40 hex digits",
  },
  listTestChains: () => [],
  hasZmq: false,
  hasWalletUrl: false,
  hasOutputPositions: true,
  sharesAddresses: true,
};

/** Returns the 64 hex digits of a transaction hash, with or without 0x before them. */
export function matchHash(text: string): string | null {
  return /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1] ?? null;
}

/** Throws on a malformed key. */
export function parseXpub(text: string): HDKey | null {
  return text.startsWith("xpub") ? HDKey.fromExtendedKey(text) : null;
}
