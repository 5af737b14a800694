import type { NetworkData } from "../network-data.ts";

export const ERC20 = {
  code: "erc20",
  family: "evm",
  name: "Ethereum (ERC20)",
  // The main network and Sepolia.
  chainId: { live: 1, test: 11_155_111 },
  // Hoodi.
  otherTestChains: [560_048],
  accountPath: "44'/60'/0'",
  coin: "eth",
  tokens: {
    eth: { decimals: 18, contract: null },
    usdt: {
      decimals: 6,
      contract: {
        live: "0xdac17f958d2ee523a2206206994597c13d831ec7",
        // Tether has no USDT on Sepolia. This is the token of the Aave markets. Anyone can mint it.
        test: "0xaa8e23fb1079ea71e0a56f48a2aa51851d8433d0",
      },
    },
    usdc: {
      decimals: 6,
      // https://developers.circle.com/stablecoins/usdc-contract-addresses
      contract: {
        live: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
        test: "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238",
      },
    },
    shib: { decimals: 18, contract: { live: "0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce", test: null } },
    busd: { decimals: 18, contract: { live: "0x4fabb145d64652a948d72533023f6e7a623c7c53", test: null } },
    comp: { decimals: 18, contract: { live: "0xc00e94cb662c3520282e6f5717214004a7f26888", test: null } },
  },
  // 21,000 gas (the Yellow Paper's G_transaction) of a token's 65,000.
  coinFeeShare: { num: 21n, den: 65n },
  // Confirmations are counted, as exchanges do. The node's own finality takes two epochs, 13 minutes.
  finality: { kind: "confirmations", tiers: [{ upToUsd: null, blocks: 12 }] },
  blockSeconds: 12,
  finalBlocks: null,
  walletNames: ["ERC20", "Ethereum", "ETH"],
  pollMs: 4_000,
  // Proposals come one to four seconds after the beginning of their slot.
  rhythm: { earlierMs: 600 },
  batchBlocks: 100,
  explorer: {
    live: { tx: "https://etherscan.io/tx/{tx}", address: "https://etherscan.io/address/{address}" },
    test: {
      tx: "https://sepolia.etherscan.io/tx/{tx}",
      address: "https://sepolia.etherscan.io/address/{address}",
    },
  },
} as const satisfies NetworkData;
