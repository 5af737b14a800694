"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { followLink, type LinkFollower } from "#lib/web/realtime/follow-link.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";
import { KeepFocus } from "./keep-focus.tsx";
import { RedirectCountdown, type RedirectTexts } from "./redirect-countdown.tsx";

/** Beyond what a browser's timer can count. */
const MAX_TIMER_SECONDS = 86_400;

interface LiveUpdatesProps {
  refid: string;
  version: number;
  /** Seconds until the page changes by the clock alone (a price or the time runs out), or null. */
  refreshIn: number | null;
  renderedAt: number;
  sight: PageWatchStatus;
  paid: boolean;
  successUrl: string;
  texts: RedirectTexts & { disconnected: string; reconnected: string };
}

/** Keeps the page as the server knows it, and leads on when the payment completes while it is being watched. */
export function LiveUpdates(props: LiveUpdatesProps) {
  const { refid, version, refreshIn, renderedAt, texts } = props;
  const router = useRouter();
  const shown = useRef(version);
  const sight = useRef(props.sight);
  const follower = useRef<LinkFollower | null>(null);
  const [connected, setConnected] = useState(true);

  useEffect(() => {
    shown.current = version;
    sight.current = props.sight;
  });

  useEffect(() => {
    follower.current = followLink({
      refid,
      shown: () => shown.current,
      refresh: () => router.refresh(),
      sight: () => sight.current,
      contact: setConnected,
    });
    return () => follower.current?.stop();
  }, [refid, router]);

  useEffect(() => {
    if (renderedAt > 0) follower.current?.rendered();
  }, [renderedAt]);

  useEffect(() => {
    if (refreshIn === null || renderedAt === 0) return;
    const wait = (Math.min(refreshIn, MAX_TIMER_SECONDS) + 0.5) * 1_000;
    const timer = setTimeout(() => follower.current?.refreshNow(), wait);
    return () => clearTimeout(timer);
  }, [refreshIn, renderedAt]);

  const wasConnected = useRef(true);
  useEffect(() => {
    if (connected !== wasConnected.current) announce(connected ? texts.reconnected : texts.disconnected);
    wasConnected.current = connected;
  }, [connected, texts]);

  return (
    <>
      <KeepFocus />
      {!connected && <p className="toast text-warn">{texts.disconnected}</p>}
      <RedirectCountdown paid={props.paid} hold={!connected} successUrl={props.successUrl} texts={texts} />
    </>
  );
}
