import type { NetworkData } from "../network-data.ts";

export const SOLANA = {
  code: "solana",
  family: "solana",
  name: "Solana",
  // The chain is identified by its genesis hash: solana/chains.ts.
  chainId: null,
  // ed25519 cannot derive addresses from a public key. Wallets have account n at m/44'/501'/n'/0' (SLIP-10).
  addressSource: "pool",
  accountPath: "44'/501'",
  coin: "sol",
  tokens: {
    sol: { decimals: 9, contract: null },
    usdt: {
      decimals: 6,
      // Tether has no token on the test networks.
      contract: { live: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", test: null },
    },
    usdc: {
      decimals: 6,
      // https://developers.circle.com/stablecoins/usdc-contract-addresses
      contract: {
        live: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        test: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
      },
    },
  },
  finality: { kind: "finalized" },
  // A slot since epoch 1024 (SIMD-0525, which lowers it to 0.2 later). Final after 32 slots (docs.anza.xyz,
  // commitment).
  blockSeconds: 0.3,
  finalBlocks: 32,
  walletNames: ["Solana", "SPL"],
  // Base58 of any 32 bytes has no common prefix.
  // A pass takes three or four calls, and at most one for each of its ten slots: together less than 5 a second.
  pollMs: 3_000,
  // An idle pass of 30 seconds is one scan.
  batchBlocks: 128,
  explorer: {
    live: { tx: "https://solscan.io/tx/{tx}", address: "https://solscan.io/account/{address}" },
    test: {
      tx: "https://solscan.io/tx/{tx}?cluster=devnet",
      address: "https://solscan.io/account/{address}?cluster=devnet",
    },
  },
} as const satisfies NetworkData;
