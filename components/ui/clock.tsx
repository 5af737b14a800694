"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { announce } from "./announcer.tsx";

/** Something to say aloud once so many seconds are left. */
export interface Milestone {
  readonly seconds: number;
  readonly text: string;
}

interface CountdownProps {
  /** The server's word; the visitor's own clock is never asked what time it is. */
  seconds: number;
  /** Changes with every rendering by the server: the count starts from there anew. */
  renderedAt: number;
  /** Short for "days". */
  day: string;
  milestones?: readonly Milestone[];
}

const NO_MILESTONES: readonly Milestone[] = [];

/** Seconds down to zero: "59:59", "1:00:00", "2 d 03:00:00". Said aloud at the milestones only. */
export function Countdown({ seconds, renderedAt, day, milestones = NO_MILESTONES }: CountdownProps) {
  const left = Math.max(0, seconds - useElapsed(renderedAt));
  const before = useRef(left);
  useEffect(() => {
    const passed = passedMilestone(milestones, before.current, left);
    before.current = left;
    if (passed !== null) announce(passed.text);
  }, [left, milestones]);
  return (
    <span role="timer" className="tabular-nums">
      <bdi>{countdownText(left, day)}</bdi>
    </span>
  );
}

/** Whole seconds since a rendering was made. */
function useElapsed(renderedAt: number): number {
  const [counted, setCounted] = useState({ renderedAt, elapsed: 0 });
  const ofDocument = useRef(useHydrating() ? renderedAt : null);
  useEffect(() => {
    // What came with the document was made when its first byte was sent, however long the scripts took after it.
    const start = renderedAt === ofDocument.current ? documentCameAt() : performance.now();
    const count = () =>
      setCounted({ renderedAt, elapsed: Math.max(0, Math.floor((performance.now() - start) / 1_000)) });
    count();
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [renderedAt]);
  return counted.renderedAt === renderedAt ? counted.elapsed : 0;
}

const never = () => () => {};

/** True while the document's own markup is taken over, false for what is rendered later. */
function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}

/** On the clock of performance.now(). */
function documentCameAt(): number {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return document?.responseStart || performance.now();
}

/** The nearest milestone that lies between two counts; null where none does, or the count went up. */
export function passedMilestone(
  milestones: readonly Milestone[],
  before: number,
  left: number,
): Milestone | null {
  const passed = milestones.filter(({ seconds }) => left <= seconds && seconds < before);
  return passed.reduce<Milestone | null>((a, b) => (a !== null && a.seconds < b.seconds ? a : b), null);
}

export function countdownText(seconds: number, day: string): string {
  const two = (n: number) => String(n).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (days > 0) return `${days} ${day} ${two(hours)}:${clock}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}
