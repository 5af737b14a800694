import type { TokenCode } from "#lib/money/tokens.ts";

/** The two environments of the service; the key's header selects one (docs/decisions.md, Authentication). */
export type Env = "live" | "test";
export const ENVS = ["live", "test"] as const satisfies readonly Env[];

export type NetworkFamily = "utxo" | "evm" | "tron" | "solana" | "xrp";

/** What makes a payment final: a number of blocks by the link's total in USD, or the node's own word. */
export type Finality =
  | {
      readonly kind: "confirmations";
      readonly tiers: readonly { readonly upToUsd: number | null; readonly blocks: number }[];
    }
  | { readonly kind: "finalized" };

export interface NetworkToken {
  /** Decimals on this chain; never more than the token's ledgerDecimals. */
  readonly decimals: number;
  /** null: the network's own coin. Otherwise the contract (or mint) per environment, in the network's canonical form. */
  readonly contract: Readonly<Record<Env, string | null>> | null;
}

export interface NetworkData {
  readonly code: string;
  readonly family: NetworkFamily;
  /** What a customer reads: "BNB Smart Chain (BEP20)". */
  readonly name: string;
  /** Identity checked against the node: EVM chain id. */
  readonly chainId: Readonly<Record<Env, number>> | null;
  /** BIP44 account path without the leading m/: the public key handed to the service stands at this path. */
  readonly accountPath: string;
  /** Where the test environment's stands when that is elsewhere: UTXO test chains have a coin type of their own (SLIP-44). */
  readonly testAccountPath?: string;
  /** The network's own coin, which its fees are paid in. */
  readonly coin: TokenCode;
  readonly tokens: Readonly<Partial<Record<TokenCode, NetworkToken>>>;
  readonly finality: Finality;
  /** Mean seconds between blocks, for estimates shown to people only. */
  readonly blockSeconds: number;
  /** Blocks until the network usually calls one final, for the same estimates; null where blocks are counted. */
  readonly finalBlocks: number | null;
  /** What wallets and exchanges call the network, the commonest first. */
  readonly walletNames: readonly string[];
  /** How its live addresses begin. */
  readonly addressStart: string;
  /** How often the watcher asks for a new head, milliseconds. */
  readonly pollMs: number;
  /** Blocks asked for in one scan while catching up. */
  readonly batchBlocks: number;
  /** URL templates with {tx} and {address}. */
  readonly explorer: Readonly<Record<Env, { readonly tx: string; readonly address: string }>>;
}

export const NETWORKS = {
  bitcoin: {
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
    // The target that the difficulty is set for (Bitcoin Core, nPowTargetSpacing).
    blockSeconds: 600,
    finalBlocks: null,
    walletNames: ["Bitcoin"],
    addressStart: "bc1",
    pollMs: 500,
    batchBlocks: 100,
    explorer: {
      live: { tx: "https://mempool.space/tx/{tx}", address: "https://mempool.space/address/{address}" },
      test: {
        tx: "https://mempool.space/testnet4/tx/{tx}",
        address: "https://mempool.space/testnet4/address/{address}",
      },
    },
  },
  trc20: {
    code: "trc20",
    family: "tron",
    name: "TRON (TRC20)",
    // The last four bytes of the genesis block's id: the main network and Nile.
    chainId: { live: 0x2b6653dc, test: 0xcd8690dc },
    accountPath: "44'/195'/0'",
    coin: "trx",
    tokens: {
      usdt: {
        decimals: 6,
        contract: {
          live: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
          test: "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf",
        },
      },
    },
    finality: { kind: "finalized" },
    // java-tron, BLOCK_PRODUCED_INTERVAL; solid once 19 of the 27 representatives have built on it.
    blockSeconds: 3,
    finalBlocks: 19,
    walletNames: ["TRC20", "TRON"],
    addressStart: "T",
    pollMs: 1_000,
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
  },
  bep20: {
    code: "bep20",
    family: "evm",
    name: "BNB Smart Chain (BEP20)",
    chainId: { live: 56, test: 97 },
    accountPath: "44'/60'/0'",
    coin: "bnb",
    tokens: {
      usdt: {
        decimals: 18,
        contract: {
          live: "0x55d398326f99059ff775485246999027b3197955",
          test: "0x337610d27c682e347c9cd60bd4b3b107c9d34ddd",
        },
      },
    },
    finality: { kind: "finalized" },
    // BEP-619; final two blocks later where the validators' votes come in (BEP-126).
    blockSeconds: 0.45,
    finalBlocks: 2,
    walletNames: ["BEP20", "BSC", "BNB Smart Chain"],
    addressStart: "0x",
    pollMs: 500,
    batchBlocks: 500,
    explorer: {
      live: { tx: "https://bscscan.com/tx/{tx}", address: "https://bscscan.com/address/{address}" },
      test: {
        tx: "https://testnet.bscscan.com/tx/{tx}",
        address: "https://testnet.bscscan.com/address/{address}",
      },
    },
  },
} as const satisfies Record<string, NetworkData>;

/** Account path of an environment, without the leading m/. */
export function accountPathOf(data: NetworkData, env: Env): string {
  return env === "test" ? (data.testAccountPath ?? data.accountPath) : data.accountPath;
}

/** Networks whose adapter exists today. */
export type NetworkCode = keyof typeof NETWORKS;

/** Every network code of docs/service-interface.md, in its order; a known network may still be off. */
export const ALL_NETWORK_CODES = [
  "bitcoin",
  "erc20",
  "bep20",
  "trc20",
  "solana",
  "xrp",
  "base",
  "litecoin",
  "dogecoin",
] as const;

/** Pairs a payment link can be paid with (docs/service-interface.md, Supported network entry), in the order shown. */
export const PAYMENT_PAIRS: readonly {
  readonly network: (typeof ALL_NETWORK_CODES)[number];
  readonly token: TokenCode;
}[] = [
  { network: "bitcoin", token: "btc" },
  { network: "trc20", token: "usdt" },
  { network: "bep20", token: "usdt" },
];

export function isNetworkCode(text: string): text is NetworkCode {
  return Object.hasOwn(NETWORKS, text);
}
