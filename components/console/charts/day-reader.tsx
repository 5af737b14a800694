"use client";

import { type PointerEvent, type ReactNode, useState } from "react";
import { dayAt } from "./day-rules.ts";

interface DayReaderProps {
  /** Names the values for people who do not see the chart. */
  label: string;
  /** The words of each day, the oldest first. */
  days: readonly string[];
  /** The words while no day is pointed at. */
  summary: string;
  /** Left of the drawing. */
  axis: ReactNode;
  /** The drawing, one column of the same width for each day. */
  children: ReactNode;
}

/**
 * Says the value of the day that is pointed at. Without a pointer the chart is one stop of the keyboard, where the arrow keys, Home
 * and End choose the day. Without scripts the table says the same.
 */
export function DayReader({ label, days, summary, axis, children }: DayReaderProps) {
  const [at, setAt] = useState<number | null>(null);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(dayAt((clientX - left) / width, days.length));
  };
  const shown = at ?? days.length - 1;
  return (
    <div className="grid gap-3">
      <p className={`text-sm tabular-nums ${at === null ? "text-muted" : "font-medium"}`}>
        {at === null ? summary : days[at]}
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        {axis}
        <div
          className="relative touch-pan-y"
          onPointerDown={point}
          onPointerMove={point}
          // A lifted finger leaves too. Its day stays.
          onPointerLeave={({ pointerType }) => pointerType !== "touch" && setAt(null)}
        >
          {at !== null && (
            <svg className="absolute inset-0 h-44 w-full" aria-hidden="true">
              <rect
                x={`${(at / days.length) * 100}%`}
                width={`${100 / days.length}%`}
                height="100%"
                rx="3"
                className="fill-accent-soft"
              />
            </svg>
          )}
          {children}
          <input
            type="range"
            className="day-reader needs-script"
            aria-label={label}
            aria-valuetext={days[shown]}
            min={0}
            max={days.length - 1}
            value={shown}
            onChange={({ target }) => setAt(Number(target.value))}
            onFocus={() => setAt(shown)}
            onBlur={() => setAt(null)}
          />
        </div>
      </div>
    </div>
  );
}
