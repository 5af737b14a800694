import { compareDecimals, currencyPlaces, fromMinorUnits, roundDecimal, toMinorUnits } from "@paylink/shop";

/** Vendure's integer as a decimal in the places of its currency. Vendure counts yen in hundredths, too. */
export function toDecimal(amount: number, currency: string, precision: number): string {
  return roundDecimal(fromMinorUnits(amount, precision), currencyPlaces(currency));
}

/**
 * Vendure's integer for a paid amount: what the order asks if the rounded amounts are equal, else exactly what was paid. Null if it cannot
 * be written so.
 */
export function paidAmount(
  paid: string,
  asked: { amount: number; currency: string; precision: number },
): number | null {
  const { amount, currency, precision } = asked;
  if (amount >= 0 && compareDecimals(paid, toDecimal(amount, currency, precision)) === 0) return amount;
  return toMinorUnits(paid, precision);
}
