import type { NetworkData } from "../network-data.ts";

export const BEP20 = {
  code: "bep20",
  family: "evm",
  name: "BNB Smart Chain (BEP20)",
  chainId: { live: 56, test: 97 },
  accountPath: "44'/60'/0'",
  coin: "bnb",
  tokens: {
    bnb: { decimals: 18, contract: null },
    usdt: {
      decimals: 18,
      contract: {
        live: "0x55d398326f99059ff775485246999027b3197955",
        test: "0x337610d27c682e347c9cd60bd4b3b107c9d34ddd",
      },
    },
    usdc: {
      decimals: 18,
      // Circle issues no USDC here. This is Binance-Peg USD Coin, which Binance issues; 18 decimals, unlike Circle's
      // (https://bscscan.com/token/0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d). Test: the same in PancakeSwap's token list.
      contract: {
        live: "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
        test: "0x64544969ed7ebf5f083679233325356ebe738930",
      },
    },
    busd: { decimals: 18, contract: { live: "0xe9e7cea3dedca5984780bafc599bd69add087d56", test: null } },
    twt: { decimals: 18, contract: { live: "0x4b0f1812e5df2a09796481ff14017e6005508003", test: null } },
  },
  // 21,000 gas (the Yellow Paper's G_transaction) of a token's 65,000.
  coinFeeShare: { num: 21n, den: 65n },
  finality: { kind: "finalized" },
  // BEP-619. A block is final two blocks later, once the validators' votes are included (BEP-126).
  blockSeconds: 0.45,
  finalBlocks: 2,
  walletNames: ["BEP20", "BSC", "BNB Smart Chain"],
  pollMs: 700,
  batchBlocks: 200,
  // https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/json-rpc-endpoint/
  publicRpcUrl: {
    live: "https://bsc-dataseed.bnbchain.org",
    test: "https://bsc-testnet-dataseed.bnbchain.org",
  },
  explorer: {
    live: { tx: "https://bscscan.com/tx/{tx}", address: "https://bscscan.com/address/{address}" },
    test: {
      tx: "https://testnet.bscscan.com/tx/{tx}",
      address: "https://testnet.bscscan.com/address/{address}",
    },
  },
} as const satisfies NetworkData;
