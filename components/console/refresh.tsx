"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const EVERY_MS = 5_000;
/** A tab that was forgotten asks no longer. */
const MOST = 360;

/** Reads the page again and again while it is visible: for pages about something that another process does. */
export function Refresh() {
  const router = useRouter();
  useEffect(() => {
    let left = MOST;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      if (left-- === 0) clearInterval(timer);
      else router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
