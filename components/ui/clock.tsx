"use client";

import { useEffect, useState } from "react";

interface ClockProps {
  /** The server's word; the visitor's own clock is never asked what time it is. */
  seconds: number;
  /** Changes with every rendering by the server: the count starts from there anew. */
  renderedAt: number;
}

/** Seconds down to zero: "59:59", "1:00:00", "2 d 03:00:00". */
export function Countdown({ seconds, renderedAt }: ClockProps) {
  const left = Math.max(0, seconds - useElapsed(renderedAt));
  return (
    <span role="timer" className="tabular-nums">
      {countdownText(left)}
    </span>
  );
}

/** How long ago something was, growing. */
export function Age({ seconds, renderedAt, locale }: ClockProps & { locale: string }) {
  return <span className="tabular-nums">{ageText(seconds + useElapsed(renderedAt), locale)}</span>;
}

/** Whole seconds since a rendering arrived here. */
function useElapsed(renderedAt: number): number {
  const [counted, setCounted] = useState({ renderedAt, elapsed: 0 });
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => {
      setCounted({ renderedAt, elapsed: Math.floor((performance.now() - start) / 1_000) });
    }, 500);
    return () => clearInterval(timer);
  }, [renderedAt]);
  return counted.renderedAt === renderedAt ? counted.elapsed : 0;
}

export function countdownText(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${clock}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}

export function ageText(seconds: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale);
  if (seconds < 60) return format.format(-seconds, "second");
  if (seconds < 3_600) return format.format(-Math.floor(seconds / 60), "minute");
  return format.format(-Math.floor(seconds / 3_600), "hour");
}
