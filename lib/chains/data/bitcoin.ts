import type { NetworkData } from "../network-data.ts";

const TEST_ADDRESSES = { hrp: "tb", pubKeyHash: 0x6f, scriptHashes: [0xc4] } as const;

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
  // The target of the difficulty (Bitcoin Core, nPowTargetSpacing).
  blockSeconds: 600,
  finalBlocks: null,
  walletNames: ["Bitcoin"],
  pollMs: 800,
  batchBlocks: 100,
  explorer: {
    live: { tx: "https://mempool.space/tx/{tx}", address: "https://mempool.space/address/{address}" },
    test: {
      tx: "https://mempool.space/testnet4/tx/{tx}",
      address: "https://mempool.space/testnet4/address/{address}",
    },
  },
  utxo: {
    uriScheme: "bitcoin",
    script: "p2wpkh",
    accountKeys: { live: ["xpub", "zpub"], test: ["xpub", "zpub", "tpub", "vpub"] },
    coinbaseMaturity: 100,
    paymentBytes: 141,
    feeFloor: 1,
    dust: { per1000: 3_000 },
    // A sixteenth of the difficulty of 2025.
    headers: { work: "sha256d", easiestBits: 0x17200000, settleMs: 2_000 },
    live: {
      name: "main",
      genesis: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
      hrp: "bc",
      pubKeyHash: 0x00,
      scriptHashes: [0x05],
    },
    test: [
      {
        name: "testnet4",
        genesis: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
        ...TEST_ADDRESSES,
      },
      {
        name: "testnet3",
        genesis: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
        ...TEST_ADDRESSES,
        explorer: {
          tx: "https://mempool.space/testnet/tx/{tx}",
          address: "https://mempool.space/testnet/address/{address}",
        },
      },
      {
        name: "signet",
        genesis: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
        ...TEST_ADDRESSES,
        explorer: {
          tx: "https://mempool.space/signet/tx/{tx}",
          address: "https://mempool.space/signet/address/{address}",
        },
      },
      {
        name: "regtest",
        genesis: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
        ...TEST_ADDRESSES,
        hrp: "bcrt",
      },
    ],
  },
} as const satisfies NetworkData;
