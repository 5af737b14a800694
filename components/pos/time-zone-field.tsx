"use client";

import { useEffect, useRef } from "react";

/** Names the device's time zone, in which its day begins. The server does not know it. */
export function TimeZoneField() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  }, []);
  return <input ref={field} type="hidden" name="time_zone" defaultValue="UTC" />;
}
