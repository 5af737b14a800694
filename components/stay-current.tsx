"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { timeoutSignal } from "#lib/web/realtime/timeout-signal.ts";

const TIMEOUT_MS = 5_000;

/**
 * Renders the page again when the device wakes, is connected again, or `everyMs` have passed. Only while it is visible and
 * the server answers: a refresh that fails would replace the page by the browser's error.
 */
export function StayCurrent({ everyMs }: { everyMs: number }) {
  const router = useRouter();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const refresh = async () => {
      if (document.visibilityState !== "visible" || !(await isReachable()) || signal.aborted) return;
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

async function isReachable(): Promise<boolean> {
  try {
    const options = { method: "HEAD", cache: "no-store", signal: timeoutSignal(TIMEOUT_MS) } as const;
    return (await fetch("/icon.svg", options)).ok;
  } catch {
    return false;
  }
}
