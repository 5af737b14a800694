import type { NodeHour } from "./types.ts";

/** The period that the console shows. Hours are kept for as long. */
export const NODE_HOURS_KEPT_MS = 7 * 24 * 3_600_000;
export const HOUR_MS = 3_600_000;

/** The start of the hour (UTC) of a time. */
export const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

/** `idle`: it was not asked. `poor`: at least a tenth of the requests failed; `fair`: at least a hundredth. */
export type HourHealth = "idle" | "good" | "fair" | "poor";

export function healthOf({ requests, errors }: Pick<NodeHour, "requests" | "errors">): HourHealth {
  if (requests === 0) return "idle";
  if (errors * 10 >= requests) return "poor";
  return errors * 100 >= requests ? "fair" : "good";
}

/** The hours of one node for NODE_HOURS_KEPT_MS up to now, without gaps, oldest first. */
export function fillHours(
  hours: readonly NodeHour[],
  now: Date,
): readonly Pick<NodeHour, "hour" | "requests" | "errors" | "behind">[] {
  const byTime = new Map(hours.map((one) => [one.hour.getTime(), one]));
  const last = hourOf(now).getTime();
  return Array.from({ length: NODE_HOURS_KEPT_MS / HOUR_MS }, (_, i) => {
    const time = last - (NODE_HOURS_KEPT_MS / HOUR_MS - 1 - i) * HOUR_MS;
    return byTime.get(time) ?? { hour: new Date(time), requests: 0, errors: 0, behind: 0 };
  });
}
