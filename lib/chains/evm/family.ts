import { HDKey } from "@scure/bip32";
import { createXpubFormat } from "../account-keys.ts";
import type { FamilyDescriptor, WatchPass } from "../family.ts";
import type { NETWORKS, NetworkCode } from "../networks.ts";

/** The networks of this family. */
export type EvmNetwork = {
  [Code in NetworkCode]: (typeof NETWORKS)[Code]["family"] extends "evm" ? Code : never;
}[NetworkCode];

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
  countCalls: (pass) => countLogCalls(pass) + (pass.coin ? pass.blocks : 0),
  readsMempool: false,
  hasZmq: false,
  hasWalletUrl: false,
  hasTraces: true,
  hasOutputPositions: true,
  // The zero address, the precompiled contracts, and 0x…dead.
  isBurnAddress: (address) => /^0x0{36}[0-9a-f]{4}$/.test(address),
  balancePage: 100,
  feeCap: { name: "max_fee_per_gas_gwei", decimals: 9 },
  mostAheadMs: 600_000,
  sharesAddresses: true,
};

/** The newest blocks: so many are asked for in one request, and the logs of so many by the hash of each (scan-logs.ts). */
const FEW = 4;
const BY_HASH = 16;

/** Calls of a pass: the head, the chain's id, the logs, and the header of each block that is not read whole. */
export function countLogCalls({ blocks, coin, finality }: WatchPass): number {
  const found = Math.min(1, blocks);
  const near = Math.min(BY_HASH, blocks);
  const byHash = blocks > FEW ? near : found;
  const byHeight = blocks > FEW ? 0 : Math.min(1, Math.max(0, blocks - 1));
  const headers = coin ? 0 : near - found;
  const older = blocks > BY_HASH ? 3 : 0;
  return 1 + finality + found + byHash + byHeight + headers + older;
}

/** Returns the 64 hex digits of a transaction hash, with or without 0x before them. */
export function matchHash(text: string): string | null {
  return /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1] ?? null;
}

/** Throws on a malformed key. */
export function parseXpub(text: string): HDKey | null {
  return text.startsWith("xpub") ? HDKey.fromExtendedKey(text) : null;
}
