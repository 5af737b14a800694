"use client";

import { useEffect, useRef, useState } from "react";

let speak: ((text: string) => void) | null = null;

/** Has `text` read out by a screen reader, after what it is reading now. */
export function announce(text: string): void {
  speak?.(text);
}

/**
 * The page's one live region. Says `text` whenever that changes, never on arrival: what is on the page when it opens is
 * read with the page.
 */
export function Announcer({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  const known = useRef(text);

  useEffect(() => {
    // The same words a second time are read only where the text differs.
    speak = (next) => setSaid((last) => (last === next ? `${next}\u00a0` : next));
    return () => {
      speak = null;
    };
  }, []);

  useEffect(() => {
    if (text === known.current) return;
    known.current = text;
    announce(text);
  }, [text]);

  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}
