import { CURRENCIES, type CurrencyCode } from "./currencies.ts";
import { TOKENS, type TokenCode } from "./tokens.ts";

/**
 * The value of ledger units of a token in the smallest units of a currency, rounded down. `rate` is the price of one whole token, as decimal
 * text.
 */
export function valueAtRate(
  { token, amount }: { readonly token: TokenCode; readonly amount: bigint },
  rate: string,
  currency: CurrencyCode,
): bigint {
  const [whole = "0", fraction = ""] = rate.split(".");
  const scale = 10n ** BigInt(TOKENS[token].ledgerDecimals + fraction.length);
  return (amount * BigInt(whole + fraction) * 10n ** BigInt(CURRENCIES[currency])) / scale;
}
