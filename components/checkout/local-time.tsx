"use client";

import { useSyncExternalStore } from "react";
import type { TimeText } from "./time-text.ts";

/** Whether the payer asked for UTC. One choice for all times of the page. */
let inUtc = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether times are in UTC: where the payer asked for it, and on the server, which gets `onServer`. */
function useUtc(onServer = true): boolean {
  return useSyncExternalStore(
    subscribe,
    () => inUtc,
    () => onServer,
  );
}

/** A time in the payer's zone. Without scripts, printed by the server, in UTC. */
export function LocalTime({ time, locale }: { time: TimeText; locale: string }) {
  const utc = useUtc();
  return <time dateTime={time.at}>{utc ? time.utc : localText(time.at, locale)}</time>;
}

/** Browsers lack some of our languages. They write such a time in English. */
function localText(at: string, locale: string): string {
  const [known = "en"] = Intl.DateTimeFormat.supportedLocalesOf(locale);
  return new Intl.DateTimeFormat(known, { dateStyle: "long", timeStyle: "long" }).format(new Date(at));
}

/** Says that times are in UTC where they are, and switches between UTC and the payer's zone. */
export function ZoneNote({ texts }: { texts: { zone: string; inUtc: string; inLocal: string } }) {
  const utc = useUtc();
  // The server's text stays when the script begins, so that the button keeps its width.
  const isAsked = useUtc(false);
  const toggle = () => {
    inUtc = !inUtc;
    for (const listener of listeners) listener();
  };
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
      <button
        type="button"
        className="needs-script link min-h-6 cursor-pointer print:hidden"
        onClick={toggle}
      >
        {isAsked ? texts.inLocal : texts.inUtc}
      </button>
      {/* At the end, so that nothing moves when the script finds the payer's zone. */}
      {utc && <span>{texts.zone}</span>}
    </p>
  );
}
