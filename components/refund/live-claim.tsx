"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { fetchVersion } from "#lib/web/realtime/follow-link.ts";

const ASK_MS = 5_000;

/** Asks for the version of the claim while the page is visible, and reads the page again when it has changed. */
export function LiveClaim({ version }: { version: number }) {
  const router = useRouter();
  useEffect(() => {
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await fetchVersion();
      if (answer !== null && answer.version !== version) router.refresh();
    };
    const timer = setInterval(ask, ASK_MS);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [version, router]);
  return null;
}
