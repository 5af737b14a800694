"use client";

import { useEffect, useRef } from "react";
import { connectToParent, type ParentConnection } from "#packages/widget/src/embedded-page.ts";
import type { LinkStatus } from "#packages/widget/src/messages.ts";

interface ParentReporterProps {
  /** Origin of the page around the frame. The server has checked that it may frame this link. */
  parent: string;
  refid: string;
  status: LinkStatus;
}

/** Reports the link's status to the shop's page around the frame. */
export function ParentReporter({ parent, refid, status }: ParentReporterProps) {
  const page = useRef<ParentConnection | null>(null);
  const shown = useRef(status);

  useEffect(() => {
    // The page has a `parent` parameter but is not in a frame, so there is no page to report to.
    if (window.parent === window) return;
    page.current = connectToParent(parent, refid, shown.current);
    return () => page.current?.stop();
  }, [parent, refid]);

  useEffect(() => {
    shown.current = status;
    page.current?.report(status);
  }, [status]);

  return null;
}
