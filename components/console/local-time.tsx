"use client";

import { useEffect, useState } from "react";

/** A time in the viewer's zone, and in UTC when pointed at. Until scripts run, in UTC. */
export function LocalTime({ at, seconds = false }: { at: Date; seconds?: boolean }) {
  const utc = `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const [text, setText] = useState(seconds ? utc : `${utc.slice(0, 16)} UTC`);
  useEffect(() => {
    const timeStyle = seconds ? "medium" : "short";
    setText(new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle }).format(at));
  }, [at, seconds]);
  return (
    <time dateTime={at.toISOString()} title={utc}>
      {text}
    </time>
  );
}
