import type { PlayedCounts } from "./server.ts";

export const DAY_MS = 86_400_000;

/** The calls to a provider in a day. */
export interface DayLoad {
  readonly requests: number;
  readonly calls: number;
  readonly units: number;
}

export const addLoads = (a: DayLoad, b: DayLoad): DayLoad => ({
  requests: a.requests + b.requests,
  calls: a.calls + b.calls,
  units: a.units + b.units,
});

/** The load of a day that continues like this time between two counts. */
export function perDay(before: PlayedCounts, after: PlayedCounts, ms: number): DayLoad {
  const day = (count: number) => Math.round((count * DAY_MS) / ms);
  const { requests, calls, units } = before;
  return {
    requests: day(after.requests - requests),
    calls: day(after.calls - calls),
    units: day(after.units - units),
  };
}
