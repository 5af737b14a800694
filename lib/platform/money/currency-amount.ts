import { parseAmount } from "./amount.ts";
import { CURRENCIES, type CurrencyCode } from "./currencies.ts";

/** The largest amount, in whole units of a currency or whole tokens. */
export const MAX_WHOLE = 10n ** 12n;

/** An amount above 0 and at most MAX_WHOLE, in the smallest unit of the currency. null for anything else. */
export function parseCurrencyAmount(text: string, currency: CurrencyCode): bigint | null {
  const decimals = CURRENCIES[currency];
  const parsed = parseAmount(text, decimals, MAX_WHOLE * 10n ** BigInt(decimals));
  return parsed.ok && parsed.units > 0n ? parsed.units : null;
}
