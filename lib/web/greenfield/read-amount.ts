import { parseAmount } from "#lib/platform/money/amount.ts";
import { MAX_WHOLE } from "#lib/platform/money/currency-amount.ts";

/** Decimals that are read beyond those of a currency: shops multiply prices by rates. */
const MORE_DECIMALS = 30;

/**
 * The units of decimal text above 0 and up to 1e12, rounded half up to the decimals of the unit, as BTCPay Server does. null: it is no such
 * number, or rounds to 0.
 */
export function readRounded(text: string, decimals: number): bigint | null {
  const step = 10n ** BigInt(MORE_DECIMALS);
  const parsed = parseAmount(text, decimals + MORE_DECIMALS, MAX_WHOLE * 10n ** BigInt(decimals) * step);
  const units = parsed.ok ? (parsed.units + step / 2n) / step : 0n;
  return units > 0n ? units : null;
}
