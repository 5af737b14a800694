import { dayAfter, dayIn, startOfDay } from "#lib/platform/time-zone.ts";

/** A month of a time zone: its first instant, and the next month's. */
interface Month {
  readonly from: Date;
  readonly to: Date;
  /** The last day. */
  readonly lastDay: string;
}

/** The month of an instant in a time zone, "2026-11". */
export const monthIn = (timeZone: string, at: Date): string => dayIn(timeZone, at).slice(0, 7);

/** Reads "2026-11". null for any other text. */
export function readMonth(text: unknown, timeZone: string): Month | null {
  const match = typeof text === "string" ? /^(20[0-9]{2})-(0[1-9]|1[0-2])$/.exec(text) : null;
  if (match === null) return null;
  const lastDay = new Date(Date.UTC(Number(match[1]), Number(match[2]), 0)).toISOString().slice(0, 10);
  return {
    from: startOfDay(timeZone, `${match[0]}-01`),
    to: startOfDay(timeZone, dayAfter(lastDay)),
    lastDay,
  };
}
