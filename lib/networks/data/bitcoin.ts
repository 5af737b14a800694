import type { NetworkData } from "../network-data.ts";

export const BITCOIN = {
  code: "bitcoin",
  family: "utxo",
  name: "Bitcoin",
  chainId: null,
  accountPath: "84'/0'/0'",
  testAccountPath: "84'/1'/0'",
  coin: "btc",
  tokens: { btc: { decimals: 8, contract: null } },
  finality: {
    kind: "confirmations",
    tiers: [
      { upToUsd: 100, blocks: 1 },
      { upToUsd: 10_000, blocks: 2 },
      { upToUsd: null, blocks: 6 },
    ],
  },
  // The target that the difficulty is set for (Bitcoin Core, nPowTargetSpacing).
  blockSeconds: 600,
  finalBlocks: null,
  walletNames: ["Bitcoin"],
  addressStart: "bc1",
  pollMs: 500,
  batchBlocks: 100,
  explorer: {
    live: { tx: "https://mempool.space/tx/{tx}", address: "https://mempool.space/address/{address}" },
    test: {
      tx: "https://mempool.space/testnet4/tx/{tx}",
      address: "https://mempool.space/testnet4/address/{address}",
    },
  },
} as const satisfies NetworkData;
