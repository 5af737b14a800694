import { dateFormat, relativeFormat } from "#lib/platform/formats.ts";

/** A timestamp to the second in UTC with the zone's name, because a receipt is read in any time zone. */
export function timestampText(timestamp: Date, locale: string): string {
  return dateFormat(locale, { dateStyle: "long", timeStyle: "long", timeZone: "UTC" }).format(timestamp);
}

/** A time for a browser, which shows it in its own zone, and its text in UTC for everyone else. */
export interface TimeText {
  /** ISO 8601. */
  readonly at: string;
  readonly utc: string;
}

export function timeText(timestamp: Date, locale: string): TimeText {
  return { at: timestamp.toISOString(), utc: timestampText(timestamp, locale) };
}

/**
 * Such as "3 minutes ago"; null below one minute. Formatted on the server, because browsers lack some of our
 * languages.
 */
export function ageText(seconds: number, locale: string): string | null {
  if (seconds < 60) return null;
  const format = relativeFormat(locale, {});
  if (seconds < 3_600) return format.format(-Math.floor(seconds / 60), "minute");
  return format.format(-Math.floor(seconds / 3_600), "hour");
}

/** A rounded duration. The unit "seconds" means a few seconds, whatever the count is. */
export interface WaitEstimate {
  readonly unit: "seconds" | "minute" | "hour";
  readonly count: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Rounds a usual duration, so that the text is not more precise than an average. Pure. */
export function estimateWait(seconds: number): WaitEstimate {
  if (seconds < 20) return { unit: "seconds", count: 0 };
  if (seconds < 9.5 * MINUTE) return { unit: "minute", count: Math.max(1, Math.round(seconds / MINUTE)) };
  if (seconds < 55 * MINUTE) return { unit: "minute", count: 10 * Math.round(seconds / (10 * MINUTE)) };
  return { unit: "hour", count: Math.max(1, Math.round(seconds / HOUR)) };
}
