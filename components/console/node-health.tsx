import { LocalTime } from "#components/console/local-time.tsx";
import {
  fillHours,
  HOUR_MS,
  type HourHealth,
  healthOf,
  NODE_HOURS_KEPT_MS,
} from "#lib/domain/nodes/health-rules.ts";
import type { NodeHour } from "#lib/domain/nodes/types.ts";

const FILLS: Readonly<Record<HourHealth, string>> = {
  idle: "fill-line",
  good: "fill-good",
  fair: "fill-warn",
  poor: "fill-bad",
};

/** Each hour of a node's last seven days as a bar, and the hours that were not good as a table. */
export function NodeHealth({ node, hours, now }: { node: string; hours: readonly NodeHour[]; now: Date }) {
  const week = fillHours(hours, now);
  const day = week.slice(-24);
  const bad = week.filter((hour) => healthOf(hour) === "fair" || healthOf(hour) === "poor").reverse();
  return (
    <div className="grid gap-1 text-sm">
      <svg
        viewBox={`0 0 ${NODE_HOURS_KEPT_MS / HOUR_MS} 8`}
        preserveAspectRatio="none"
        className="h-6 w-full"
        role="img"
        aria-label={`Answers of ${node} in each hour of the last seven days`}
      >
        {week.map((hour, i) => (
          <rect
            key={hour.hour.getTime()}
            x={i + 0.1}
            width="0.8"
            height="8"
            className={FILLS[healthOf(hour)]}
          />
        ))}
      </svg>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted tabular-nums">
        <span>Seven days: {failedText(week)}</span>
        <span>24 hours: {failedText(day)}</span>
      </p>
      {bad.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-muted underline underline-offset-4">
            {bad.length === 1 ? "One hour with failures" : `${bad.length} hours with failures`}
          </summary>
          <ul className="mt-2 grid max-h-60 gap-1 overflow-y-auto text-muted tabular-nums">
            {bad.map((hour) => (
              <li key={hour.hour.getTime()} className="relative flex flex-wrap justify-between gap-x-4">
                <LocalTime at={hour.hour} />
                <span>
                  {failedText([hour])}
                  {hour.behind > 0 && `, ${hour.behind} blocks behind`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** "3 of 1,234 requests failed". */
function failedText(hours: readonly Pick<NodeHour, "requests" | "errors">[]): string {
  const sum = (read: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((all, hour) => all + read(hour), 0);
  const [requests, errors] = [sum((hour) => hour.requests), sum((hour) => hour.errors)];
  return requests === 0
    ? "not asked"
    : `${errors.toLocaleString("en")} of ${requests.toLocaleString("en")} requests failed`;
}
