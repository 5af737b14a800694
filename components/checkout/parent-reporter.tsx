"use client";

import { useEffect, useRef } from "react";
import { connectToParent, type ParentConnection } from "#lib/widget/embedded-page.ts";
import type { LinkStatus } from "#lib/widget/messages.ts";

interface ParentReporterProps {
  /** Origin of the page around the frame: one that may frame this link. */
  parent: string;
  refid: string;
  status: LinkStatus;
}

/** Tells the shop's page around the frame how the payment stands. */
export function ParentReporter({ parent, refid, status }: ParentReporterProps) {
  const page = useRef<ParentConnection | null>(null);
  const shown = useRef(status);

  useEffect(() => {
    // Opened by itself with a shop's address in it: nobody is around it.
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
