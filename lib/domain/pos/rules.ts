export const CODE_LIFETIME_MS = 24 * 3_600_000;
export const MAX_DEVICE_NAME = 60;
/** A day's sales that a device lists one by one. */
export const MAX_LISTED_SALES = 50;
/** Sales of one device within SALES_WINDOW_MS: more than any counter sells, and a bound for a stolen device. */
export const MAX_SALES = 100;
export const SALES_WINDOW_MS = 10 * 60_000;

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
