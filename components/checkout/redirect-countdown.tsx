"use client";

import { useEffect, useRef, useState } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { continueToShop } from "#lib/widget/embedded-page.ts";

export interface RedirectTexts {
  redirecting: string;
  redirectAnnouncement: string;
  secondsShort: string;
  stayHere: string;
}

interface RedirectCountdownProps {
  paid: boolean;
  /** Length of the countdown. */
  seconds: number;
  /** Pauses the countdown, because without a connection the shop is not reachable either. */
  hold: boolean;
  successUrl: string;
  texts: RedirectTexts;
}

/**
 * Counts down to the redirect after a completion that the visitor sees live. A page opened on a paid link
 * does not redirect.
 */
export function RedirectCountdown({ paid, seconds, hold, successUrl, texts }: RedirectCountdownProps) {
  const before = useRef(paid);
  const [left, setLeft] = useState<number | null>(null);
  const { redirectAnnouncement } = texts;

  useEffect(() => {
    if (paid === before.current) return;
    before.current = paid;
    setLeft(paid ? seconds : null);
  }, [paid, seconds]);

  useEffect(() => {
    if (left === null || hold) return;
    if (left === seconds) announce(redirectAnnouncement);
    if (left === 0) {
      if (!continueToShop(successUrl)) setLeft(null);
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, seconds, hold, successUrl, redirectAnnouncement]);

  if (left === null) return null;
  return (
    <div className="toast">
      <p>
        {texts.redirecting} <span className="tabular-nums">{`${left} ${texts.secondsShort}`}</span>
      </p>
      <button type="button" className="button-quiet" onClick={() => setLeft(null)}>
        {texts.stayHere}
      </button>
    </div>
  );
}
