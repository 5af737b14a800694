"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { onBecomingVisible } from "#lib/web/realtime/on-becoming-visible.ts";
import { pageAnswers } from "#lib/web/realtime/page-answers.ts";
import { trackUse } from "#lib/web/realtime/track-use.ts";

/** In this document. A page that was just loaded is not old. */
let wasShown = false;

/**
 * Renders the page again when the device wakes, is connected again, or `everyMs` have passed. Only while it is visible, somebody
 * uses it, and the server can render it: a refresh that fails would replace it by an error. `atOnce`: also when it is shown again within
 * the document, because Back shows what the page was.
 */
export function StayCurrent({ everyMs, atOnce = false }: { everyMs: number; atOnce?: boolean }) {
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const isUsed = trackUse(signal);
    const refresh = async () => {
      if (document.visibilityState !== "visible" || !isUsed()) return;
      if ((await pageAnswers()) && !signal.aborted) router.refresh();
    };
    if (atOnce && wasShown) void refresh();
    wasShown = true;
    const timer = setInterval(refresh, everyMs);
    onBecomingVisible(signal, (event) => {
      if (!(event instanceof PageTransitionEvent) || event.persisted) void refresh();
    });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [router, everyMs, atOnce]);
  return null;
}
