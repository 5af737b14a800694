/** Exact fractions: the worth of payments to a link (docs/decisions.md, Valuation). */
export interface Fraction {
  readonly num: bigint;
  /** Always positive. */
  readonly den: bigint;
}

export const ZERO: Fraction = { num: 0n, den: 1n };
export const ONE: Fraction = { num: 1n, den: 1n };

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Creates a reduced fraction. Throws RangeError if the denominator is not positive. */
export function fraction(num: bigint, den: bigint): Fraction {
  if (den <= 0n) throw new RangeError("fraction: denominator must be positive");
  const divisor = gcd(num < 0n ? -num : num, den) || 1n;
  return { num: num / divisor, den: den / divisor };
}

export function addFractions(a: Fraction, b: Fraction): Fraction {
  return fraction(a.num * b.den + b.num * a.den, a.den * b.den);
}

/** Negative if a is less than b, zero if they are equal, positive if a is greater. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a.num * b.den - b.num * a.den;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Formats a fraction as decimal text, truncated after `places` digits: the `worth` of a payment
 * (docs/shapes.md).
 */
export function formatFraction(value: Fraction, places: number): string {
  const scaled = (value.num * 10n ** BigInt(places)) / value.den;
  const sign = scaled < 0n ? "-" : "";
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const rest = digits.slice(digits.length - places).replace(/0+$/, "");
  return rest === "" ? sign + whole : `${sign}${whole}.${rest}`;
}
