"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { type Follower, followLink } from "#lib/realtime/follow-link.ts";

/** Seconds between a payment that completes before the visitor's eyes and the way back to the shop. */
const LEAVE_AFTER = 5;
/** Beyond what a browser's timer can count. */
const LONGEST_WAIT = 86_400;

interface LiveProps {
  refid: string;
  version: number;
  /** Seconds until the page changes by the clock alone (a price or the time runs out), or null. */
  refreshIn: number | null;
  renderedAt: number;
  paid: boolean;
  successUrl: string;
  texts: { leaving: string; stay: string };
}

/** Keeps the page as the server knows it, and leads on when the payment completes while it is being watched. */
export function Live(props: LiveProps) {
  const { refid, version, refreshIn, renderedAt } = props;
  const router = useRouter();
  const shown = useRef(version);
  const follower = useRef<Follower | null>(null);

  useEffect(() => {
    shown.current = version;
  }, [version]);

  useEffect(() => {
    follower.current = followLink({ refid, shown: () => shown.current, refresh: () => router.refresh() });
    return () => follower.current?.stop();
  }, [refid, router]);

  useEffect(() => {
    if (refreshIn === null || renderedAt === 0) return;
    const wait = (Math.min(refreshIn, LONGEST_WAIT) + 0.5) * 1_000;
    const timer = setTimeout(() => follower.current?.renew(), wait);
    return () => clearTimeout(timer);
  }, [refreshIn, renderedAt]);

  return <Leave paid={props.paid} successUrl={props.successUrl} texts={props.texts} />;
}

/** Counts down to the shop after a completion seen live; a page opened on a paid link stays where it is. */
function Leave({ paid, successUrl, texts }: Pick<LiveProps, "paid" | "successUrl" | "texts">) {
  const before = useRef(paid);
  const [left, setLeft] = useState<number | null>(null);

  useEffect(() => {
    if (paid !== before.current) setLeft(paid ? LEAVE_AFTER : null);
    before.current = paid;
  }, [paid]);

  useEffect(() => {
    if (left === null) return;
    if (left === 0) return window.location.assign(successUrl);
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, successUrl]);

  if (left === null) return null;
  return (
    <div className="flex items-center justify-between gap-4 rounded-xl bg-good-soft px-4 py-3 text-sm text-good">
      <p role="status">
        {texts.leaving} <span className="tabular-nums">{left} s</span>
      </p>
      <button type="button" className="button-quiet" onClick={() => setLeft(null)}>
        {texts.stay}
      </button>
    </div>
  );
}
