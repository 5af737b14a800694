"use client";

import { useEffect, useRef } from "react";
import { type EmbeddedPage, embedPage } from "#lib/widget/embedded-page.ts";
import type { Status } from "#lib/widget/messages.ts";

interface EmbeddedProps {
  /** Origin of the page around the frame: one that may frame this link. */
  parent: string;
  refid: string;
  status: Status;
}

/** Tells the shop's page around the frame how the payment stands. */
export function Embedded({ parent, refid, status }: EmbeddedProps) {
  const page = useRef<EmbeddedPage | null>(null);
  const shown = useRef(status);

  useEffect(() => {
    // Opened by itself with a shop's address in it: nobody is around it.
    if (window.parent === window) return;
    page.current = embedPage(parent, refid, shown.current);
    return () => page.current?.stop();
  }, [parent, refid]);

  useEffect(() => {
    shown.current = status;
    page.current?.show(status);
  }, [status]);

  return null;
}
