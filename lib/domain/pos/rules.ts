import { findTimeZone } from "#lib/platform/time-zone.ts";

export const CODE_LIFETIME_MS = 24 * 3_600_000;
export const MAX_DEVICE_NAME = 60;
/** A day's sales that a device lists one by one. */
export const MAX_LISTED_SALES = 50;
/** Sales of one device within SALES_WINDOW_MS: more than any counter sells, and a bound for a stolen device. */
export const MAX_SALES = 100;
export const SALES_WINDOW_MS = 10 * 60_000;

/** The IANA time zone, or UTC for any other text: a browser sends it. */
export function readTimeZone(given: string): string {
  return findTimeZone(given) ?? "UTC";
}
