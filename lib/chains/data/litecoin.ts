import type { NetworkData } from "../network-data.ts";

/** The second version byte of scripts is bitcoin's old one, which is still in use. */
const TEST_ADDRESSES = { hrp: "tltc", pubKeyHash: 0x6f, scriptHashes: [0x3a, 0xc4] } as const;

/** Parameters of Litecoin Core 0.21, chainparams.cpp. Coin types of SLIP-44, key prefixes of SLIP-132. */
export const LITECOIN = {
  code: "litecoin",
  family: "utxo",
  name: "Litecoin",
  chainId: null,
  accountPath: "84'/2'/0'",
  testAccountPath: "84'/1'/0'",
  coin: "ltc",
  tokens: { ltc: { decimals: 8, contract: null } },
  // Coins that leave the extension block cannot be spent for 6 blocks (PEGOUT_MATURITY), so no tier is lower.
  finality: {
    kind: "confirmations",
    tiers: [
      { upToUsd: 100, blocks: 6 },
      { upToUsd: 10_000, blocks: 12 },
      { upToUsd: null, blocks: 24 },
    ],
  },
  blockSeconds: 150,
  finalBlocks: null,
  walletNames: ["Litecoin"],
  pollMs: 800,
  batchBlocks: 100,
  explorer: {
    live: { tx: "https://litecoinspace.org/tx/{tx}", address: "https://litecoinspace.org/address/{address}" },
    test: {
      tx: "https://litecoinspace.org/testnet/tx/{tx}",
      address: "https://litecoinspace.org/testnet/address/{address}",
    },
  },
  utxo: {
    uriScheme: "litecoin",
    script: "p2wpkh",
    accountKeys: {
      live: ["xpub", "zpub", "Ltub"],
      test: ["xpub", "zpub", "Ltub", "tpub", "vpub", "ttub"],
    },
    blockExtra: "mweb",
    coinbaseMaturity: 100,
    paymentBytes: 141,
    feeFloor: 1,
    // Litecoin Core, policy.h: DUST_RELAY_TX_FEE.
    dust: { per1000: 30_000 },
    // About a sixteenth of the difficulty of 2025.
    headers: { work: "scrypt", easiestBits: 0x1a040000, settleMs: 2_000 },
    live: {
      name: "main",
      genesis: "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2",
      hrp: "ltc",
      pubKeyHash: 0x30,
      scriptHashes: [0x32, 0x05],
    },
    test: [
      {
        name: "testnet4",
        genesis: "4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0",
        ...TEST_ADDRESSES,
      },
      {
        name: "regtest",
        genesis: "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9",
        ...TEST_ADDRESSES,
        hrp: "rltc",
      },
    ],
  },
} as const satisfies NetworkData;
