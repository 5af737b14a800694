/** Crockford's base 32: without I, L, O and U, which are read or typed as something else. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 60 random bits. */
const CODE_CHARS = 12;
export const CODE_LIFETIME_MS = 24 * 3_600_000;
export const MAX_DEVICE_NAME = 60;
/** A day's sales that a device lists one by one. */
export const MAX_LISTED_SALES = 50;
/** Sales of one device within SALES_WINDOW_MS: more than any counter sells, and a bound for a stolen device. */
export const MAX_SALES = 100;
export const SALES_WINDOW_MS = 10 * 60_000;

/** A device code as people read it, from at least 12 random bytes: "7K3M-Q9PX-2BTD". */
export function formatDeviceCode(random: Uint8Array): string {
  const chars = Array.from(random.subarray(0, CODE_CHARS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return chars.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** A typed device code without what people change: case, spaces, dashes, O for 0, I and L for 1. null if it cannot be one. */
export function readDeviceCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  const isPossible = code.length === CODE_CHARS && [...code].every((char) => ALPHABET.includes(char));
  return isPossible ? code : null;
}

/** The IANA time zone, or UTC for any other text: a browser sends it. */
export function readTimeZone(given: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

/** When the day of `now` began in a time zone. On a day when the clocks change, it may be an hour off. */
export function startOfDay(now: Date, timeZone: string): Date {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(now);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const seconds = (read("hour") * 60 + read("minute")) * 60 + read("second");
  return new Date((Math.floor(now.getTime() / 1_000) - seconds) * 1_000);
}
