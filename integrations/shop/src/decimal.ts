/** Exact decimals as text. Money is never a float. */

interface Decimal {
  readonly units: bigint;
  /** Digits after the point. */
  readonly places: number;
}

const DECIMAL = /^(\d{1,60})(?:\.(\d{1,60}))?$/;

/** Reads a decimal that is not negative. Throws TypeError for anything else. */
function readDecimal(text: string): Decimal {
  const match = DECIMAL.exec(text);
  if (match === null) throw new TypeError(`"${text}" is not a decimal.`);
  const [, whole = "", fraction = ""] = match;
  return { units: BigInt(whole + fraction), places: fraction.length };
}

function toPlaces({ units, places }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - places);
}

function writeDecimal(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** Returns a number below 0 if `a` is smaller than `b`, above 0 if it is larger, and 0 if they are equal: "2.50" equals "2.5". */
export function compareDecimals(a: string, b: string): number {
  const one = readDecimal(a);
  const other = readDecimal(b);
  const places = Math.max(one.places, other.places);
  const difference = toPlaces(one, places) - toPlaces(other, places);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Rounds to this many places, a half up. */
export function roundDecimal(text: string, places: number): string {
  const decimal = readDecimal(text);
  if (decimal.places <= places) return writeDecimal(decimal.units, decimal.places);
  const step = 10n ** BigInt(decimal.places - places);
  return writeDecimal((decimal.units + step / 2n) / step, places);
}

/** Writes an integer of minor units as a decimal: 1234 with two places is "12.34". Throws RangeError unless it is a safe integer. */
export function fromMinorUnits(amount: number, places: number): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${amount} is not an amount.`);
  return writeDecimal(BigInt(amount), places);
}

/** Writes a decimal as an integer of minor units. Null if it has more places, or is not a safe integer. */
export function toMinorUnits(text: string, places: number): number | null {
  const decimal = readDecimal(roundDecimal(text, places));
  const units = Number(toPlaces(decimal, places));
  return compareDecimals(text, writeDecimal(decimal.units, decimal.places)) === 0 &&
    Number.isSafeInteger(units)
    ? units
    : null;
}

/** Adds decimals. */
export function addDecimals(texts: readonly string[]): string {
  const decimals = texts.map(readDecimal);
  const places = Math.max(0, ...decimals.map((one) => one.places));
  return writeDecimal(
    decimals.reduce((sum, one) => sum + toPlaces(one, places), 0n),
    places,
  );
}

/** Returns `a * b / c`, rounded down to this many places. Throws RangeError if `c` is 0. */
export function scaleDecimal(
  a: string,
  b: string,
  { by: c, places }: { by: string; places: number },
): string {
  const [first, second, divisor] = [readDecimal(a), readDecimal(b), readDecimal(c)];
  const up = 10n ** BigInt(places + divisor.places);
  const down = divisor.units * 10n ** BigInt(first.places + second.places);
  return writeDecimal((first.units * second.units * up) / down, places);
}

const NO_PLACES = new Set("bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf".split(" "));
const THREE_PLACES = new Set("bhd iqd jod kwd lyd omr tnd".split(" "));

/** The places of a currency by ISO 4217, in any case. Intl has those of CLDR, which differ. */
export function currencyPlaces(currency: string): number {
  const code = currency.toLowerCase();
  if (NO_PLACES.has(code)) return 0;
  return THREE_PLACES.has(code) ? 3 : 2;
}
