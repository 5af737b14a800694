/**
 * The fifteen tokens of the interface document, and those that it does not have at the end. A token has one ledger unit for all its networks (docs/decisions.md,
 * Ledger): USDT has 18 decimals in the ledger, 6 or 18 on chain, and 6 in quotes.
 */
export interface Token {
  readonly symbol: string;
  readonly name: string;
  /** Decimals of the ledger unit. Every amount in the database is an integer of 10^-ledgerDecimals. */
  readonly ledgerDecimals: number;
  /**
   * The most decimals of an amount that a customer must pay. Quotes and remainders are rounded up to them.
   */
  readonly quoteDecimals: number;
  /** True if one token is meant to be worth one unit of a currency, so that people count it in cents. */
  readonly isStable: boolean;
  /** Networks carry no payment of fewer ledger units. A smaller remainder counts as paid if it is a small share of the link. */
  readonly dust: bigint;
}

export const TOKENS = {
  btc: {
    symbol: "btc",
    name: "Bitcoin",
    ledgerDecimals: 8,
    quoteDecimals: 8,
    isStable: false,
    dust: 546n,
  },
  eth: {
    symbol: "eth",
    name: "Ether",
    ledgerDecimals: 18,
    quoteDecimals: 8,
    isStable: false,
    dust: 0n,
  },
  usdt: {
    symbol: "usdt",
    name: "Tether USD",
    ledgerDecimals: 18,
    quoteDecimals: 6,
    isStable: true,
    dust: 0n,
  },
  trx: {
    symbol: "trx",
    name: "TRON",
    ledgerDecimals: 6,
    quoteDecimals: 6,
    isStable: false,
    dust: 0n,
  },
  sol: {
    symbol: "sol",
    name: "Solana",
    ledgerDecimals: 9,
    quoteDecimals: 9,
    isStable: false,
    dust: 0n,
  },
  bnb: {
    symbol: "bnb",
    name: "BNB",
    ledgerDecimals: 18,
    quoteDecimals: 8,
    isStable: false,
    dust: 0n,
  },
  ltc: {
    symbol: "ltc",
    name: "Litecoin",
    ledgerDecimals: 8,
    quoteDecimals: 8,
    isStable: false,
    dust: 5_460n,
  },
  doge: {
    symbol: "doge",
    name: "Dogecoin",
    ledgerDecimals: 8,
    quoteDecimals: 8,
    isStable: false,
    dust: 1_000_000n,
  },
  bch: {
    symbol: "bch",
    name: "Bitcoin Cash",
    ledgerDecimals: 8,
    quoteDecimals: 8,
    isStable: false,
    dust: 546n,
  },
  xrp: { symbol: "xrp", name: "XRP", ledgerDecimals: 6, quoteDecimals: 6, isStable: false, dust: 0n },
  shib: {
    symbol: "shib",
    name: "Shiba Inu",
    ledgerDecimals: 18,
    quoteDecimals: 8,
    isStable: false,
    dust: 0n,
  },
  ada: {
    symbol: "ada",
    name: "Cardano",
    ledgerDecimals: 6,
    quoteDecimals: 6,
    isStable: false,
    dust: 0n,
  },
  twt: {
    symbol: "twt",
    name: "Trust Wallet Token",
    ledgerDecimals: 18,
    quoteDecimals: 8,
    isStable: false,
    dust: 0n,
  },
  busd: {
    symbol: "busd",
    name: "Binance USD",
    ledgerDecimals: 18,
    quoteDecimals: 6,
    isStable: true,
    dust: 0n,
  },
  comp: {
    symbol: "comp",
    name: "Compound",
    ledgerDecimals: 18,
    quoteDecimals: 8,
    isStable: false,
    dust: 0n,
  },
  usdc: {
    symbol: "usdc",
    name: "USD Coin",
    ledgerDecimals: 18,
    quoteDecimals: 6,
    isStable: true,
    dust: 0n,
  },
} as const satisfies Record<string, Token>;

export type TokenCode = keyof typeof TOKENS;

/** True if `text` is the lowercase symbol of a token. */
export function isTokenCode(text: string): text is TokenCode {
  return Object.hasOwn(TOKENS, text);
}
