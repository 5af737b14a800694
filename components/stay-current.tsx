"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { pageAnswers } from "#lib/web/realtime/page-answers.ts";

/**
 * Renders the page again when the device wakes, is connected again, or `everyMs` have passed. Only while it is visible and
 * the server can render the page: a refresh that fails would replace it by an error.
 */
export function StayCurrent({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const refresh = async () => {
      if (document.visibilityState !== "visible" || !(await pageAnswers()) || signal.aborted) return;
      router.refresh();
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh, { signal });
    for (const event of ["online", "pageshow"]) window.addEventListener(event, refresh, { signal });
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [router, everyMs]);
  return null;
}
