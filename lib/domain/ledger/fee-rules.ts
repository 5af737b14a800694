import { divCeil, parseAmount } from "#lib/platform/money/amount.ts";

/** Digits kept of a percentage. Merchants have at most four. */
export const PERCENTAGE_DECIMALS = 12;

/** Parses a merchant's percentage ("0.75") as an integer of 10^-12 percent. Throws if the text is not a percentage. */
export function parsePercentage(percentage: string): bigint {
  const parsed = parseAmount(percentage, PERCENTAGE_DECIMALS);
  if (!parsed.ok || parsed.units < 0n) throw new Error(`not a percentage: ${percentage}`);
  return parsed.units;
}

/** ceil(amount × percentage / 100), in the unit of `amount` (docs/decisions.md, Ledger). */
export function percentageFee(amount: bigint, percentage: string): bigint {
  return divCeil(amount * parsePercentage(percentage), 100n * 10n ** BigInt(PERCENTAGE_DECIMALS));
}

/** The percentage fee of `amount`, or `minimum` if that is larger. Both in the unit of `amount`. */
export function feeWithMinimum(amount: bigint, percentage: string, minimum: bigint): bigint {
  const fee = percentageFee(amount, percentage);
  return fee > minimum ? fee : minimum;
}
