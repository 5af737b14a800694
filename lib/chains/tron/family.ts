import { createXpubFormat } from "../account-keys.ts";
import { countLogCalls, matchHash, parseXpub } from "../evm/family.ts";
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
  // Whole blocks come from /wallet, four with a request, and show the newest block unless finality is asked for. The results of each are read,
  // which show the logs, too.
  countCalls: (pass) =>
    pass.coin
      ? 2 * pass.finality + Math.max(Math.min(1, pass.blocks), pass.blocks / 4) + pass.blocks
      : countLogCalls(pass),
  readsMempool: false,
  hasZmq: false,
  hasWalletUrl: true,
  hasTraces: false,
  hasOutputPositions: true,
  // The zero address, and the account that burned TRX goes to.
  isBurnAddress: (address) =>
    address === "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" || address === "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy",
  balancePage: 25,
  feeCap: null,
  mostAheadMs: 600_000,
  sharesAddresses: false,
};
