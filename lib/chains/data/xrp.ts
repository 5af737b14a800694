import type { NetworkData } from "../network-data.ts";

export const XRP = {
  code: "xrp",
  family: "xrp",
  name: "XRP Ledger",
  // The network id that servers report: the main network and Testnet.
  chainId: { live: 0, test: 1 },
  // Devnet.
  otherTestChains: [2],
  // No addresses derive from it. The first key below it is the account that wallets show for the same words
  // (SLIP-44, 144).
  addressSource: "tags",
  accountPath: "44'/144'/0'",
  coin: "xrp",
  tokens: { xrp: { decimals: 6, contract: null } },
  finality: { kind: "finalized" },
  firstHeight: 1,
  // xrpl.org, Consensus: a ledger is validated every three to five seconds, and is then final.
  blockSeconds: 4,
  finalBlocks: 1,
  walletNames: ["XRP Ledger", "XRP", "XRPL"],
  pollMs: 800,
  // One request covers all of them, page by page, so their number costs nothing.
  batchBlocks: 500,
  explorer: {
    live: {
      tx: "https://livenet.xrpl.org/transactions/{tx}",
      address: "https://livenet.xrpl.org/accounts/{address}",
    },
    test: {
      tx: "https://testnet.xrpl.org/transactions/{tx}",
      address: "https://testnet.xrpl.org/accounts/{address}",
    },
  },
} as const satisfies NetworkData;
