"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { followLink, type LinkFollower } from "#lib/web/realtime/follow-link.ts";
import type { PageWatchStatus } from "#lib/web/realtime/rules.ts";
import { RedirectCountdown } from "./redirect-countdown.tsx";

/** Longest time that a browser's timer is set to. */
const MAX_TIMER_SECONDS = 86_400;

interface LiveUpdatesProps {
  refid: string;
  version: number;
  /** Seconds until the page changes without an event (a price or the time to pay ends), or null. */
  refreshIn: number | null;
  renderedAt: number;
  watchStatus: PageWatchStatus;
  paid: boolean;
  /** Seconds from a completion to the redirect. */
  redirectAfter: number;
  successUrl: string;
  texts: { redirectAnnouncement: string; disconnected: string; reconnected: string };
}

/**
 * Keeps the page in step with the server, and redirects when the payment completes while the page is open.
 */
export function LiveUpdates(props: LiveUpdatesProps) {
  const { refid, version, refreshIn, renderedAt, texts } = props;
  const router = useRouter();
  const shown = useRef(version);
  const watchStatus = useRef(props.watchStatus);
  const follower = useRef<LinkFollower | null>(null);
  const [connected, setConnected] = useState(true);

  useEffect(() => {
    shown.current = version;
    watchStatus.current = props.watchStatus;
  });

  useEffect(() => {
    follower.current = followLink({
      refid,
      shownVersion: () => shown.current,
      refresh: () => router.refresh(),
      watchStatus: () => watchStatus.current,
      onContactChange: setConnected,
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
      <RedirectCountdown
        paid={props.paid}
        seconds={props.redirectAfter}
        hold={!connected}
        successUrl={props.successUrl}
        announcement={texts.redirectAnnouncement}
      />
    </>
  );
}

/**
 * Restores the focus when a rendering removes the focused element. It focuses the element with the same id,
 * or else the status heading. Without this, keyboard users would start again at the top of the page.
 */
function KeepFocus() {
  const last = useRef<{ element: Element; byKeyboard: boolean } | null>(null);

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (target instanceof Element) {
        last.current = { element: target, byKeyboard: target.matches(":focus-visible") };
      }
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);

  // Runs after every rendering.
  useEffect(() => {
    const lost = last.current;
    if (lost === null || lost.element.isConnected || document.activeElement !== document.body) return;
    last.current = null;
    const again = lost.element.id === "" ? null : document.getElementById(lost.element.id);
    // Touch and mouse users have not lost their place, so the page must not scroll for them.
    (again ?? document.getElementById("status"))?.focus({ preventScroll: !lost.byKeyboard });
  });

  return null;
}
