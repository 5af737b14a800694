"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { followLink } from "#lib/web/realtime/follow-link.ts";

const NO_NETWORKS = { networks: [], unwatched: [] };

/** Keeps a page about one link in step with the server. */
export function LiveLink({ refid, version }: { refid: string; version: number }) {
  const router = useRouter();
  const shown = useRef(version);
  useEffect(() => {
    shown.current = version;
  });
  useEffect(() => {
    const follower = followLink({
      refid,
      page: `${window.location.origin}/pay/${refid}`,
      shownVersion: () => shown.current,
      refresh: () => router.refresh(),
      watchStatus: () => NO_NETWORKS,
      onContactChange: () => {},
    });
    return () => follower.stop();
  }, [refid, router]);
  return null;
}
