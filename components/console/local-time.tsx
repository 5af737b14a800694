"use client";

import { createContext, useContext, useEffect, useState } from "react";

/** The time zone that a merchant has chosen. null: none, or the page is no merchant's. */
const ChosenZone = createContext<string | null>(null);

/** Shows the times within it in a merchant's time zone. UTC, the default, counts as not chosen: times stay in the viewer's zone. */
export function ZonedTimes({ timeZone, children }: { timeZone: string; children: React.ReactNode }) {
  return <ChosenZone value={timeZone === "UTC" ? null : timeZone}>{children}</ChosenZone>;
}

/** A time in the merchant's zone or the viewer's, and in UTC when pointed at. Until scripts run, in UTC. */
export function LocalTime({ at, seconds = false }: { at: Date; seconds?: boolean }) {
  const zone = useContext(ChosenZone);
  const utc = `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const [text, setText] = useState(seconds ? utc : `${utc.slice(0, 16)} UTC`);
  useEffect(() => {
    const style = { dateStyle: "medium", timeStyle: seconds ? "medium" : "short" } as const;
    try {
      setText(new Intl.DateTimeFormat(undefined, { ...style, timeZone: zone ?? undefined }).format(at));
    } catch {
      // The browser is older than the time zone: the time stays in UTC.
    }
  }, [at, seconds, zone]);
  return (
    <time dateTime={at.toISOString()} title={utc}>
      {text}
    </time>
  );
}
