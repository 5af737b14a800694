import { numberFormat } from "#lib/platform/formats.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { CURRENCIES, type CurrencyCode } from "#lib/platform/money/currencies.ts";

/** At most this many spaces between the values of an axis. */
const MOST_SPACES = 4;
const FEWEST_SPACES = 2;
/** Round steps are these, times a power of ten. */
const ROUND_STEPS = [1n, 2n, 5n] as const;

/**
 * The values of an axis from 0 to at least `largest`, in units of a currency: three to five, the closest round ones. An axis
 * without values has none.
 */
export function axisValues(largest: bigint): readonly bigint[] {
  if (largest <= 0n) return [];
  const step = roundStep(largest);
  const spaces = Math.max(FEWEST_SPACES, Number((largest + step - 1n) / step));
  return Array.from({ length: spaces + 1 }, (_, i) => BigInt(i) * step);
}

/** The least round step that reaches `largest` with few enough spaces. */
function roundStep(largest: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = ROUND_STEPS.map((round) => round * power).find(
      (one) => one * BigInt(MOST_SPACES) >= largest,
    );
    if (step !== undefined) return step;
  }
}

/** A value of an axis, such as "$50" or "$1.5K". Round values lose nothing. */
export function axisText(units: bigint, currency: CurrencyCode): string {
  const decimals = CURRENCIES[currency];
  const isWhole = units % 10n ** BigInt(decimals) === 0n;
  return numberFormat("en", {
    style: "currency",
    currency: currency.toUpperCase(),
    currencyDisplay: "narrowSymbol",
    ...(isWhole ? { notation: "compact" } : { minimumFractionDigits: decimals }),
  }).format(formatAmount(units, decimals) as Intl.StringNumericLiteral);
}
