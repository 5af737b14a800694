import { DayReader } from "./day-reader.tsx";
import { datedDays } from "./day-rules.ts";

/** A day's bar. `share` is its part of the axis's last value, 0 to 1. */
export interface DayBar {
  /** "2026-11-24". */
  readonly day: string;
  readonly text: string;
  readonly share: number;
}

const PERCENT = 100;
/** Parts of a day's column: its bar, and the space on each side. */
const BAR_PART = 0.7;
const SPACE_PART = (1 - BAR_PART) / 2;

const FORMAT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const dateText = (day: string) => FORMAT.format(new Date(day));

/**
 * One upright bar for each day, between the values of its axis and the dates of some days. Drawn on the server, with lengths in
 * percent: it fits every width, and its words keep their size.
 */
export function DayChart({
  label,
  bars,
  axis,
  summary,
}: {
  label: string;
  bars: readonly DayBar[];
  /** Names of the axis's values in even steps, the first one at the bottom. */
  axis: readonly string[];
  summary: string;
}) {
  return (
    <DayReader
      label={label}
      days={bars.map(({ day, text }) => `${dateText(day)}: ${text}`)}
      summary={summary}
      axis={<Axis texts={axis} />}
    >
      <Drawing bars={bars} spaces={axis.length - 1} />
    </DayReader>
  );
}

/** Each name is a line without height, so that even spaces put its middle on its grid line. */
function Axis({ texts }: { texts: readonly string[] }) {
  return (
    <div
      className="flex h-44 flex-col-reverse justify-between text-end text-xs text-muted tabular-nums"
      aria-hidden="true"
    >
      {texts.map((text) => (
        <span key={text} className="flex h-0 items-center justify-end">
          {text}
        </span>
      ))}
    </div>
  );
}

const percent = (part: number) => `${part * PERCENT}%`;

function Drawing({ bars, spaces }: { bars: readonly DayBar[]; spaces: number }) {
  const column = 1 / bars.length;
  return (
    <>
      <svg className="relative block h-44 w-full overflow-visible" aria-hidden="true">
        {Array.from({ length: spaces + 1 }, (_, i) => percent(i / spaces)).map((y) => (
          <line key={y} x2="100%" y1={y} y2={y} className="stroke-line" />
        ))}
        {bars.map(({ day, share }, i) => (
          <rect
            key={day}
            x={percent((i + SPACE_PART) * column)}
            width={percent(BAR_PART * column)}
            y={percent(1 - share)}
            height={percent(share)}
            className="fill-accent"
          />
        ))}
      </svg>
      <Dates days={bars.map(({ day }) => day)} />
    </>
  );
}

function Dates({ days }: { days: readonly string[] }) {
  return (
    <svg className="mt-2 block h-4 w-full overflow-visible text-xs tabular-nums" aria-hidden="true">
      {datedDays(days.length).map((i) => {
        const isLast = i === days.length - 1;
        return (
          <text
            key={i}
            x={percent(isLast ? 1 : (i + 0.5) / days.length)}
            y="12"
            textAnchor={isLast ? "end" : "middle"}
            className="fill-muted"
          >
            {dateText(days[i] ?? "")}
          </text>
        );
      })}
    </svg>
  );
}
