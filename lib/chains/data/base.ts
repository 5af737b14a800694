import type { NetworkData } from "../network-data.ts";

export const BASE = {
  code: "base",
  family: "evm",
  name: "Base",
  // The main network and Base Sepolia.
  chainId: { live: 8_453, test: 84_532 },
  accountPath: "44'/60'/0'",
  coin: "eth",
  tokens: {
    eth: { decimals: 18, contract: null },
    // Bridged from Ethereum. Tether issues no USDT on Base, and none is known on its test network.
    usdt: { decimals: 6, contract: { live: "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", test: null } },
    usdc: {
      decimals: 6,
      // https://developers.circle.com/stablecoins/usdc-contract-addresses
      contract: {
        live: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
        test: "0x036cbd53842c5426634e7929541ec2318f3dcf7e",
      },
    },
  },
  // 21,000 gas (the Yellow Paper's G_transaction) of a token's 65,000.
  coinFeeShare: { num: 21n, den: 65n },
  // Confirmations are counted. `finalized` waits at least 15 minutes, until Ethereum has finalized Base's
  // data.
  finality: { kind: "confirmations", tiers: [{ upToUsd: null, blocks: 20 }] },
  blockSeconds: 2,
  finalBlocks: null,
  walletNames: ["Base"],
  pollMs: 2_000,
  rhythm: { earlierMs: 10 },
  batchBlocks: 200,
  // https://docs.base.org/base-chain/quickstart/connecting-to-base
  publicRpcUrl: { live: "https://mainnet.base.org", test: "https://sepolia.base.org" },
  explorer: {
    live: { tx: "https://basescan.org/tx/{tx}", address: "https://basescan.org/address/{address}" },
    test: {
      tx: "https://sepolia.basescan.org/tx/{tx}",
      address: "https://sepolia.basescan.org/address/{address}",
    },
  },
} as const satisfies NetworkData;
