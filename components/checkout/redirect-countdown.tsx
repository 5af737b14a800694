"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { continueToShop } from "#packages/widget/src/embedded-page.ts";

interface RedirectCountdownProps {
  paid: boolean;
  /** Length of the countdown. */
  seconds: number;
  /** Pauses the countdown, because without a connection the shop is not reachable either. */
  hold: boolean;
  successUrl: string;
  /** Announced once, for screen readers. */
  announcement: string;
}

/** Seconds that are left. Null: no countdown. It outlives the button that shows it. */
let secondsLeft: number | null = null;
/** True once this visitor has seen the page unpaid: only then may a countdown come. */
let wasUnpaid = false;
const listeners = new Set<() => void>();

function setLeft(left: number | null): void {
  secondsLeft = left;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const useLeft = () =>
  useSyncExternalStore(
    subscribe,
    () => secondsLeft,
    () => null,
  );

/**
 * Counts down to the redirect after a completion that the visitor sees live. A page opened on a paid link does not redirect. Shows
 * nothing: it keeps its place while the page around it changes.
 */
export function RedirectCountdown(props: RedirectCountdownProps) {
  const { paid, seconds, hold, successUrl, announcement } = props;
  const before = useRef(paid);
  const left = useLeft();

  useEffect(() => {
    if (!paid) wasUnpaid = true;
    if (paid === before.current) return;
    before.current = paid;
    setLeft(paid ? seconds : null);
  }, [paid, seconds]);

  useEffect(() => {
    if (left === null || hold) return;
    if (left === seconds) announce(announcement);
    if (left === 0) {
      if (!continueToShop(successUrl)) setLeft(null);
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, seconds, hold, successUrl, announcement]);

  return null;
}

/** The button to the shop, with the countdown inside, and room for what stops it where a countdown may come. */
export function ContinueLink({
  href,
  texts,
}: {
  href: string;
  texts: { go: string; stay: string; secondsShort: string };
}) {
  const left = useLeft();
  const mayCount = useSyncExternalStore(
    subscribe,
    () => wasUnpaid,
    () => false,
  );
  return (
    <div className="grid print:hidden">
      <a className="button" href={href} target="_top">
        {texts.go}
        {left !== null && (
          <span aria-hidden="true" className="font-normal tabular-nums">
            {`${left} ${texts.secondsShort}`}
          </span>
        )}
      </a>
      <div className={`grid justify-items-center ${mayCount ? "min-h-11" : ""}`}>
        {left !== null && (
          <button
            type="button"
            className="link min-h-11 cursor-pointer px-2 text-sm"
            onClick={() => setLeft(null)}
          >
            {texts.stay}
          </button>
        )}
      </div>
    </div>
  );
}
