"use client";

import { useEffect, useRef, useState } from "react";

let speak: ((text: string) => void) | null = null;

/** Makes a screen reader read `text` after what it is reading now. */
export function announce(text: string): void {
  speak?.(text);
}

/**
 * The only live region of the page. Announces `text` when it changes. Does not announce it at first, because
 * a screen reader reads the opened page anyway.
 */
export function Announcer({ text }: { text: string }) {
  const [announced, setAnnounced] = useState("");
  const lastText = useRef(text);

  useEffect(() => {
    // A screen reader repeats a text only if it differs, so a trailing space is added.
    speak = (next) => setAnnounced((last) => (last === next ? `${next}\u00a0` : next));
    return () => {
      speak = null;
    };
  }, []);

  useEffect(() => {
    if (text === lastText.current) return;
    lastText.current = text;
    announce(text);
  }, [text]);

  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  );
}
