"use client";

import { type ReactNode, useEffect, useState } from "react";
import { announce } from "#components/ui/announcer.tsx";
import { copyText } from "#components/ui/buttons.tsx";

/** How long the caption shows the result. */
const SHOWN_MS = 2_500;

interface CopyCodeProps {
  text: string;
  /** The effect of a press, such as "Copy the address". */
  hint: string;
  caption: string;
  words: { copied: string; failed: string };
  /** The code. Its label names the button. */
  children: ReactNode;
}

/** A code that copies its address when it is pressed, and a caption that shows it for a short time. */
export function CopyCode({ text, hint, caption, words, children }: CopyCodeProps) {
  const [result, setResult] = useState<keyof typeof words | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <div className="grid justify-items-center gap-1.5">
      <button
        id="code"
        type="button"
        title={hint}
        className="cursor-copy rounded-xl"
        onClick={async () => {
          const done = (await copyText(text)) ? "copied" : "failed";
          setResult(done);
          announce(words[done]);
        }}
      >
        {children}
      </button>
      <p className={`text-center text-sm ${result === "copied" ? "text-good" : "text-muted"}`}>
        {result === null ? caption : words[result]}
      </p>
    </div>
  );
}
