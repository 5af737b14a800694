import type { NetworkData } from "../network-data.ts";

export const SOLANA = {
  code: "solana",
  family: "solana",
  name: "Solana",
  // A node is known by its genesis hash: solana/chains.ts.
  chainId: null,
  // ed25519 derives no public keys below a public one. Wallets have account n at m/44'/501'/n'/0' (SLIP-10).
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
  },
  finality: { kind: "finalized" },
  // A slot, since epoch 1024 (SIMD-0525, which goes on to 0.2); final after 32 of them (docs.anza.xyz, commitment).
  blockSeconds: 0.3,
  finalBlocks: 32,
  walletNames: ["Solana", "SPL"],
  // Base58 of any 32 bytes: no beginning is common to all.
  addressPrefix: "",
  pollMs: 1_000,
  batchBlocks: 16,
  explorer: {
    live: { tx: "https://solscan.io/tx/{tx}", address: "https://solscan.io/account/{address}" },
    test: {
      tx: "https://solscan.io/tx/{tx}?cluster=devnet",
      address: "https://solscan.io/account/{address}?cluster=devnet",
    },
  },
} as const satisfies NetworkData;
