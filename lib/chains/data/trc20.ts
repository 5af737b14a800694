import type { NetworkData } from "../network-data.ts";

export const TRC20 = {
  code: "trc20",
  family: "tron",
  name: "TRON (TRC20)",
  // The last four bytes of the genesis block's id: the main network and Nile.
  chainId: { live: 0x2b6653dc, test: 0xcd8690dc },
  // Shasta.
  otherTestChains: [0x94a9059e],
  accountPath: "44'/195'/0'",
  coin: "trx",
  tokens: {
    trx: { decimals: 6, contract: null },
    usdt: {
      decimals: 6,
      contract: {
        live: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        test: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
      },
    },
  },
  coinFeeShare: null,
  finality: { kind: "finalized" },
  // java-tron, BLOCK_PRODUCED_INTERVAL. A block is solid once 19 of the 27 representatives have built on it.
  blockSeconds: 3,
  finalBlocks: 19,
  walletNames: ["TRC20", "TRON"],
  // How many requests a day that makes: docs/operate/providers.md.
  pollMs: 3_000,
  rhythm: { earlierMs: 5 },
  batchBlocks: 100,
  explorer: {
    live: {
      tx: "https://tronscan.org/#/transaction/{tx}",
      address: "https://tronscan.org/#/address/{address}",
    },
    test: {
      tx: "https://nile.tronscan.org/#/transaction/{tx}",
      address: "https://nile.tronscan.org/#/address/{address}",
    },
  },
} as const satisfies NetworkData;
