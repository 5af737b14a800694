import type { NetworkData } from "../network-data.ts";

/** Parameters of Dogecoin Core 1.14, chainparams.cpp. Coin types of SLIP-44. The chain has no segwit. */
export const DOGECOIN = {
  code: "dogecoin",
  family: "utxo",
  name: "Dogecoin",
  chainId: null,
  accountPath: "44'/3'/0'",
  testAccountPath: "44'/1'/0'",
  coin: "doge",
  tokens: { doge: { decimals: 8, contract: null } },
  finality: {
    kind: "confirmations",
    tiers: [
      { upToUsd: 100, blocks: 20 },
      { upToUsd: 10_000, blocks: 40 },
      { upToUsd: null, blocks: 60 },
    ],
  },
  blockSeconds: 60,
  finalBlocks: null,
  walletNames: ["Dogecoin"],
  pollMs: 800,
  batchBlocks: 100,
  explorer: {
    live: {
      tx: "https://blockchair.com/dogecoin/transaction/{tx}",
      address: "https://blockchair.com/dogecoin/address/{address}",
    },
    test: {
      tx: "https://sochain.com/tx/DOGETEST/{tx}",
      address: "https://sochain.com/address/DOGETEST/{address}",
    },
  },
  utxo: {
    uriScheme: "dogecoin",
    script: "p2pkh",
    accountKeys: { live: ["xpub", "dgub"], test: ["xpub", "dgub", "tpub"] },
    blockExtra: "auxpow",
    // Since block 145,000. A private chain's is shorter.
    coinbaseMaturity: 240,
    paymentBytes: 226,
    // 0.01 DOGE per 1,000 bytes: recommended since Dogecoin Core 1.14.5, and required by miners
    // (doc/fee-recommendation.md).
    feeFloor: 1_000,
    // Below 0.01 DOGE each output costs as much in addition (Dogecoin Core 1.14.5, -dustlimit).
    dust: { fixed: 1_000_000 },
    live: {
      name: "main",
      genesis: "1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691",
      hrp: null,
      pubKeyHash: 0x1e,
      scriptHashes: [0x16],
    },
    test: [
      {
        name: "testnet",
        genesis: "bb0a78264637406b6360aad926284d544d7049f45189db5664f3c4d07350559e",
        hrp: null,
        pubKeyHash: 0x71,
        scriptHashes: [0xc4],
      },
      {
        name: "regtest",
        genesis: "3d2160a3b5dc4a9d62e7e66a295f70313ac808440ef7400d6c0772171ce973a5",
        hrp: null,
        pubKeyHash: 0x6f,
        scriptHashes: [0xc4],
      },
    ],
  },
} as const satisfies NetworkData;
