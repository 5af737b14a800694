/**
 * The fifteen tokens of the service. A token has one ledger unit for all its networks (docs/decisions.md,
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
  /** A remainder below this many ledger units counts as paid. */
  readonly dust: bigint;
  /** The smallest single payment that changes the state of a link, in ledger units. */
  readonly minimumReceive: bigint;
}

function token(
  symbol: string,
  name: string,
  ledgerDecimals: number,
  quoteDecimals: number,
  dust: bigint,
  minimumReceive: bigint,
): Token {
  return { symbol, name, ledgerDecimals, quoteDecimals, dust, minimumReceive };
}

export const TOKENS = {
  btc: token("btc", "Bitcoin", 8, 8, 546n, 1_000n),
  eth: token("eth", "Ether", 18, 8, 0n, 10n ** 14n),
  usdt: token("usdt", "Tether USD", 18, 6, 0n, 10n ** 16n),
  trx: token("trx", "TRON", 6, 6, 0n, 100_000n),
  sol: token("sol", "Solana", 9, 9, 0n, 1_000_000n),
  bnb: token("bnb", "BNB", 18, 8, 0n, 10n ** 13n),
  ltc: token("ltc", "Litecoin", 8, 8, 5_460n, 100_000n),
  doge: token("doge", "Dogecoin", 8, 8, 1_000_000n, 100_000_000n),
  bch: token("bch", "Bitcoin Cash", 8, 8, 546n, 10_000n),
  xrp: token("xrp", "XRP", 6, 6, 0n, 10_000n),
  shib: token("shib", "Shiba Inu", 18, 8, 0n, 10n ** 21n),
  ada: token("ada", "Cardano", 6, 6, 0n, 1_000_000n),
  twt: token("twt", "Trust Wallet Token", 18, 8, 0n, 10n ** 16n),
  busd: token("busd", "Binance USD", 18, 6, 0n, 10n ** 16n),
  comp: token("comp", "Compound", 18, 8, 0n, 10n ** 14n),
} as const satisfies Record<string, Token>;

export type TokenCode = keyof typeof TOKENS;

/** True if `text` is one of the fifteen lowercase token symbols. */
export function isTokenCode(text: string): text is TokenCode {
  return Object.hasOwn(TOKENS, text);
}
