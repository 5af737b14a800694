import { createXpubFormat } from "../account-keys.ts";
import { matchHash, parseXpub } from "../evm/family.ts";
import type { FamilyDescriptor } from "../family.ts";
import { canonicalizeTronAddress } from "./address.ts";

export const TRON_FAMILY: FamilyDescriptor = {
  canonicalizeTransactionHash: (text) => matchHash(text)?.toLowerCase() ?? null,
  accountKey: createXpubFormat(parseXpub),
  pool: null,
  contract: {
    parse: (text) => (canonicalizeTronAddress(text) === null ? null : text),
    description: "a contract address, T… or hex",
  },
  listTestChains: () => [],
  hasZmq: false,
  hasWalletUrl: true,
  hasOutputPositions: true,
  sharesAddresses: false,
};
