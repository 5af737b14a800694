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

/**
 * The largest multiple of `step` whose sum with its fee (feeWithMinimum) is not above `gross`; 0 if there is none. All in the unit
 * of `gross`.
 */
export function largestBeforeFee(
  gross: bigint,
  {
    percentage,
    minimum,
    step,
  }: { readonly percentage: string; readonly minimum: bigint; readonly step: bigint },
): bigint {
  // amount + ceil(amount × percentage) ≤ gross exactly when amount × (1 + percentage) ≤ gross, because all are whole numbers.
  const whole = 100n * 10n ** BigInt(PERCENTAGE_DECIMALS);
  const byPercentage = (gross * whole) / (whole + parsePercentage(percentage));
  const byMinimum = gross - minimum;
  const amount = byPercentage < byMinimum ? byPercentage : byMinimum;
  return amount <= 0n ? 0n : amount - (amount % step);
}
