"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { announce } from "./announcer.tsx";

/** A text to announce once this many seconds are left. */
export interface Milestone {
  readonly seconds: number;
  readonly text: string;
}

interface CountdownProps {
  /** Computed by the server. The visitor's own clock is not used, because it may be wrong. */
  seconds: number;
  /** Changes with every rendering by the server, which restarts the count. */
  renderedAt: number;
  /** Abbreviation of "days". */
  day: string;
  milestones?: readonly Milestone[];
}

const NO_MILESTONES: readonly Milestone[] = [];

/** Counts seconds down to zero: "59:59", "1:00:00", "2 d 03:00:00". Announced at the milestones only. */
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

/** Whole seconds since the server rendered the page. */
function useElapsed(renderedAt: number): number {
  const [counted, setCounted] = useState({ renderedAt, elapsed: 0 });
  const hydratedRendering = useRef(useHydrating() ? renderedAt : null);
  useEffect(() => {
    // The document was rendered when its first byte was sent, no matter how long the scripts took to load.
    const start = renderedAt === hydratedRendering.current ? documentStart() : performance.now();
    const count = () =>
      setCounted({ renderedAt, elapsed: Math.max(0, Math.floor((performance.now() - start) / 1_000)) });
    count();
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [renderedAt]);
  return counted.renderedAt === renderedAt ? counted.elapsed : 0;
}

const subscribeToNothing = () => () => {};

/** True during hydration, false for later renderings. */
function useHydrating(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  );
}

/** On the clock of performance.now(). */
function documentStart(): number {
  const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return document?.responseStart || performance.now();
}

/**
 * The milestone with the fewest seconds between two counts. Null if there is none, or if the count went up.
 */
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
