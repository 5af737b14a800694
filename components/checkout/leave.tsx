"use client";

import { useEffect, useRef, useState } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { goOn } from "#lib/widget/embedded-page.ts";
import { LEAVE_AFTER } from "./leave-after.ts";

export interface LeaveTexts {
  leaving: string;
  leavingSoon: string;
  second: string;
  stay: string;
}

interface LeaveProps {
  paid: boolean;
  /** Counts no further: the shop could not be reached either. */
  hold: boolean;
  successUrl: string;
  texts: LeaveTexts;
}

/** Counts down to the shop after a completion seen live; a page opened on a paid link stays where it is. */
export function Leave({ paid, hold, successUrl, texts }: LeaveProps) {
  const before = useRef(paid);
  const [left, setLeft] = useState<number | null>(null);
  const { leavingSoon } = texts;

  useEffect(() => {
    if (paid === before.current) return;
    before.current = paid;
    setLeft(paid ? LEAVE_AFTER : null);
  }, [paid]);

  useEffect(() => {
    if (left === null || hold) return;
    if (left === LEAVE_AFTER) announce(leavingSoon);
    if (left === 0) {
      if (!goOn(successUrl)) setLeft(null);
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, hold, successUrl, leavingSoon]);

  if (left === null) return null;
  return (
    <div className="toast">
      <p>
        {texts.leaving} <span className="tabular-nums">{`${left} ${texts.second}`}</span>
      </p>
      <button type="button" className="button-quiet" onClick={() => setLeft(null)}>
        {texts.stay}
      </button>
    </div>
  );
}
