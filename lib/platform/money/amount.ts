/** Amounts are bigint integers of a unit with a known number of decimals. A float never holds money. */

export type AmountProblem = "malformed" | "too_many_decimals" | "too_large";

const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;

/**
 * Parses decimal text (JSON number grammar with exponents) as an integer of 10^-decimals. Too many decimals
 * are refused, never rounded. Trailing zeros are allowed. `maximum` is in the unit of the result.
 */
export function parseAmount(
  text: string,
  decimals: number,
  maximum?: bigint,
): { ok: true; units: bigint } | { ok: false; reason: AmountProblem } {
  if (text.length > 100 || !DECIMAL.test(text)) return { ok: false, reason: "malformed" };
  const negative = text.startsWith("-");
  const [mantissa = "", exponentText = "0"] = text
    .slice(negative ? 1 : 0)
    .toLowerCase()
    .split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const exponent = Number.parseInt(exponentText, 10);
  // digits × 10^shift is the amount in units.
  const digits = BigInt(whole + fraction);
  const shift = decimals + exponent - fraction.length;
  if (digits === 0n) return { ok: true, units: 0n };
  if (shift > 100) return { ok: false, reason: "too_large" };
  let units = digits;
  if (shift >= 0) units *= 10n ** BigInt(shift);
  else {
    const divisor = 10n ** BigInt(-shift);
    if (digits % divisor !== 0n) return { ok: false, reason: "too_many_decimals" };
    units = digits / divisor;
  }
  if (maximum !== undefined && units > maximum) return { ok: false, reason: "too_large" };
  return { ok: true, units: negative ? -units : units };
}

/** Formats an integer of 10^-decimals as the shortest exact decimal: (150n, 2) is "1.5", (100n, 2) is "1". */
export function formatAmount(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Divides non-negative integers and rounds up. Throws RangeError if the divisor is not positive. */
export function divCeil(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError("divCeil: divisor must be positive");
  return (numerator + denominator - 1n) / denominator;
}

/** Converts an integer to a larger or equal number of decimals. Throws RangeError for a smaller one. */
export function rescale(units: bigint, from: number, to: number): bigint {
  if (to < from) throw new RangeError("rescale: would lose digits");
  return units * 10n ** BigInt(to - from);
}

/** Rounds up to `to` decimals without changing the unit: to a multiple of 10^(from - to). */
export function roundUpTo(units: bigint, from: number, to: number): bigint {
  if (to >= from) return units;
  const step = 10n ** BigInt(from - to);
  return divCeil(units, step) * step;
}

/** Rounds down to `to` decimals without changing the unit. */
export function roundDownTo(units: bigint, from: number, to: number): bigint {
  if (to >= from) return units;
  const step = 10n ** BigInt(from - to);
  return (units / step) * step;
}
