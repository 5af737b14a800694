"use client";

import { useEffect, useState } from "react";

/** A time in the viewer's zone, and in UTC when pointed at. Until scripts run, in UTC. */
export function LocalTime({ at }: { at: Date }) {
  const utc = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const [text, setText] = useState(utc);
  useEffect(() => {
    setText(new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(at));
  }, [at]);
  return (
    <time dateTime={at.toISOString()} title={utc}>
      {text}
    </time>
  );
}
