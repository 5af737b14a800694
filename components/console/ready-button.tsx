"use client";

import type { ReactNode } from "react";
import { useReady } from "#components/use-ready.ts";

/**
 * The submit button of a form that only the page's script sends. Before the script runs, a press would load the page again with what
 * was typed in its address. While the button is disabled, Enter in a field sends nothing either.
 */
export function ReadyButton({
  className,
  isBusy,
  children,
}: {
  className: string;
  isBusy?: boolean;
  children: ReactNode;
}) {
  const isReady = useReady();
  return (
    <button type="submit" className={className} disabled={!isReady} aria-busy={isBusy}>
      {children}
    </button>
  );
}
